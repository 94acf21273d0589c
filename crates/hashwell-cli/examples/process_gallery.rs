//! Draws the pictures of `docs/gallery/commands.txt` and a page of them: `process_gallery FOLDER PAGE`. A line has the name
//! of a picture and what `hashwell process` is called with, before which the process is named where it has another name.

use hashwell_document::{markup::Markup, page};
use std::error::Error;
use std::path::Path;

const COMMANDS: &str = include_str!("../../../docs/gallery/commands.txt");

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, page] = &arguments[..] else { return Err("process_gallery FOLDER PAGE".into()) };
    std::fs::create_dir_all(folder)?;
    std::fs::create_dir_all(Path::new(page).parent().unwrap_or(Path::new(".")))?;
    let mut pictures = Vec::new();
    for line in COMMANDS.lines() {
        let (name, options) = line.split_once(": ").ok_or("a line without a name")?;
        let process = if options.starts_with("--") { vec![name] } else { Vec::new() };
        let words = ["hashwell", "process"].into_iter().chain(process).chain(options.split(' '));
        let words: Vec<&str> = words.collect();
        let path = Path::new(folder).join(format!("{name}.svg"));
        let argv = words.iter().map(Into::into).chain(["--svg".into(), path.clone().into()]);
        if hashwell_cli::run(argv) != 0 {
            return Err(format!("{} failed", words.join(" ")).into());
        }
        pictures.push((name, words.join(" "), std::fs::read_to_string(path)?));
    }
    std::fs::write(page, gallery(&pictures))?;
    Ok(())
}

fn gallery(pictures: &[(&'static str, String, String)]) -> String {
    page::page("Processes", |out: &mut Markup| {
        out.element("h1", &[], "Processes");
        out.element("p", &[("class", &"lead")], "Each picture with the command that draws it.");
        for (name, command, svg) in pictures {
            page::section(out, name, name, |out| {
                out.open("figure", &[]);
                out.raw(svg);
                out.close();
                out.open("pre", &[]);
                out.element("code", &[], command);
                out.close();
            });
        }
    })
}
