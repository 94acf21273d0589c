//! `hashwell man`: a manual page for the program and one for each command, generated from the help and from
//! `manual/*.txt`, which contain the sections EXAMPLES and FILES. A test runs the examples.

use crate::options::args::{ManOptions, Options};
use crate::options::help::is_only_in_help;
use crate::options::hints::instead_of_command;
use crate::options::process_args::{Asked, PARAMETERS};
use crate::options::sha256_90r;
use crate::outputs::output::write_file;
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, printable, reason, write_line};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;

pub(crate) fn run(options: &ManOptions) -> Result<u8, Failure> {
    let pages = pages();
    let Some(folder) = &options.out else {
        let name = options.command.as_ref().map_or(PROGRAM.to_owned(), |command| file_stem(command));
        let page = pages.iter().find(|page| page.stem == name).ok_or_else(|| {
            let command = options.command.as_deref().unwrap_or_default();
            let known: Vec<&str> = pages.iter().filter_map(Page::subcommand).collect();
            let instead = instead_of_command(command).map(|instead| format!("{instead} "));
            let instead = instead.unwrap_or_default();
            Failure::Usage(format!(
                "unknown command '{command}' ({instead}known commands: {})",
                known.join(", ")
            ))
        })?;
        write_line(page.render().map_err(Failure::Output)?.as_bytes())?;
        return Ok(SUCCESS);
    };
    let fail = |error| Failure::Work(format!("{}: {}", printable(folder.as_os_str()), reason(&error)));
    std::fs::create_dir_all(folder).map_err(fail)?;
    for page in &pages {
        write_file(&folder.join(format!("{}.1", page.stem)), page.render().map_err(fail)?.as_bytes())?;
    }
    Ok(SUCCESS)
}

const PROGRAM: &str = "hashwell";

/// Date of the last change of content.
const DATE: &str = "2026-11-22";

/// The sections that are not in the help, by command.
const TEXTS: &[(&str, &str)] = &[
    ("", include_str!("../../manual/hashwell.txt")),
    ("sum", include_str!("../../manual/sum.txt")),
    ("algorithms", include_str!("../../manual/algorithms.txt")),
    ("devices", include_str!("../../manual/devices.txt")),
    ("xof", include_str!("../../manual/xof.txt")),
    ("hmac", include_str!("../../manual/hmac.txt")),
    ("kmac", include_str!("../../manual/kmac.txt")),
    ("hkdf", include_str!("../../manual/hkdf.txt")),
    ("random", include_str!("../../manual/random.txt")),
    ("draw", include_str!("../../manual/draw.txt")),
    ("verify", include_str!("../../manual/verify.txt")),
    ("sample", include_str!("../../manual/sample.txt")),
    ("split", include_str!("../../manual/split.txt")),
    ("table", include_str!("../../manual/table.txt")),
    ("diff", include_str!("../../manual/diff.txt")),
    ("process", include_str!("../../manual/process.txt")),
    ("speed", include_str!("../../manual/speed.txt")),
    ("git", include_str!("../../manual/git.txt")),
    ("research", include_str!("../../manual/research.txt")),
    ("timing-test", include_str!("../../manual/timing-test.txt")),
    ("completions", include_str!("../../manual/completions.txt")),
    ("man", include_str!("../../manual/man.txt")),
];

/// Returns the name of a page, such as `hashwell-sum`.
fn file_stem(subcommand: &str) -> String {
    format!("{PROGRAM}-{subcommand}")
}

struct Page {
    command: Command,
    stem: String,
    text: &'static str,
    /// Names of the other pages.
    others: Vec<String>,
}

/// Returns all pages; the page of the program is the first one.
fn pages() -> Vec<Page> {
    // There is no page for clap's `help`.
    let mut program = Options::command().disable_help_subcommand(true);
    // The options that all processes share are shown once, as options of the command. They must be added before `build`
    // is called.
    program = program.mut_subcommand("process", Asked::augment_args);
    program.build();
    let stem = |command: &Command| command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let commands: Vec<Command> =
        std::iter::once(program.clone()).chain(program.get_subcommands().cloned()).collect();
    let stems: Vec<String> = commands.iter().map(stem).collect();
    let page = |command: Command| {
        let stem = stem(&command);
        let subcommand = if stem == PROGRAM { "" } else { command.get_name() };
        let text = TEXTS.iter().find(|(name, _)| *name == subcommand).map_or("", |(_, text)| text);
        let others = stems.iter().filter(|other| **other != stem).cloned().collect();
        Page { command, stem, text, others }
    };
    commands.into_iter().map(page).collect()
}

impl Page {
    fn subcommand(&self) -> Option<&str> {
        (self.stem != PROGRAM).then(|| self.command.get_name())
    }

    fn render(&self) -> io::Result<String> {
        let source = format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION"));
        // Otherwise clap_mangen omits the texts of options that only `--help` shows.
        let command = self.command.clone().mut_args(|argument| argument.hide_short_help(false));
        let man = Man::new(command).title(self.stem.to_uppercase()).section("1");
        let man = man.date(DATE).source(source).manual("User Commands");
        let mut page = Vec::new();
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        let mut roff = Roff::new();
        let help = details(&self.command);
        let (exits, described): (Vec<&str>, Vec<&str>) =
            paragraphs(&help).partition(|paragraph| paragraph.starts_with(EXIT_CODES));
        for paragraph in described {
            roff.control("PP", []);
            prose(&mut roff, paragraph);
        }
        roff.to_writer(&mut page)?;
        man.render_options_section(&mut page)?;
        let mut roff = Roff::new();
        match self.subcommand() {
            None => man.render_subcommands_section(&mut page)?,
            Some(_) => choices(&mut roff, &self.command),
        }
        sections(&mut roff, self.text);
        environment(&mut roff, self.subcommand());
        exit_status(&mut roff, &exits);
        self.see_also(&mut roff);
        roff.to_writer(&mut page)?;
        // clap_mangen puts an empty line before possible values; formatters warn about it.
        let page = String::from_utf8_lossy(&page).replace("\n.br\n\n.br\n", "\n.sp\n");
        // All formatters print \e as a backslash.
        let page = page.replace(r"\\", r"\e");
        // Formatters read bytes as Latin-1 by default.
        let escaped = |c: char| match c.is_ascii() {
            true => c.to_string(),
            false => format!("\\[u{:04X}]", u32::from(c)),
        };
        Ok(page.chars().map(escaped).collect())
    }

    fn see_also(&self, roff: &mut Roff) {
        roff.control("SH", ["SEE ALSO"]);
        let last = self.others.len().saturating_sub(1);
        for (i, other) in self.others.iter().enumerate() {
            roff.text([bold(other.as_str()), roman(if i == last { "(1)" } else { "(1)," })]);
        }
    }
}

/// Returns the text after the options.
fn details(command: &Command) -> String {
    let help = command.get_after_long_help().or(command.get_after_help());
    help.map(ToString::to_string).unwrap_or_default()
}

/// Returns the paragraphs of a help text that belong on a page.
fn paragraphs(help: &str) -> impl Iterator<Item = &str> {
    help.split("\n\n").filter(|paragraph| !is_only_in_help(paragraph))
}

/// Start of the paragraph of the help that becomes the section EXIT STATUS.
const EXIT_CODES: &str = "Exit codes: ";

/// Writes a paragraph. Indented lines are not filled.
fn prose(roff: &mut Roff, paragraph: &str) {
    let mut verbatim = false;
    for line in paragraph.lines() {
        let indented = line.starts_with(' ');
        if indented != verbatim {
            if indented {
                roff.control("RS", ["4"]);
                roff.control("nf", []);
            } else {
                roff.control("fi", []);
                roff.control("RE", []);
            }
            verbatim = indented;
        }
        roff.text([roman(line.trim())]);
    }
    if verbatim {
        roff.control("fi", []);
        roff.control("RE", []);
    }
}

/// Writes the sections of a text. Lines in capitals are headings.
fn sections(roff: &mut Roff, text: &str) {
    let mut after_heading = true;
    for paragraph in text.trim().split("\n\n") {
        let heading = paragraph.chars().all(|c| c.is_ascii_uppercase());
        if heading {
            roff.control("SH", [paragraph]);
        } else {
            if !after_heading {
                roff.control("PP", []);
            }
            prose(roff, paragraph);
        }
        after_heading = heading;
    }
}

/// Writes the subcommands of a command, which have no separate pages: summary, details and parameters of each.
fn choices(roff: &mut Roff, command: &Command) {
    let mut choices = command.get_subcommands().filter(|choice| choice.get_name() != "help").peekable();
    if choices.peek().is_some() {
        roff.control("SH", [command.get_name().to_uppercase().as_str()]);
    }
    for choice in choices {
        entry(roff, choice.get_name(), &choice.get_about().map(ToString::to_string).unwrap_or_default());
        roff.control("RS", []);
        let help = details(choice);
        for paragraph in paragraphs(&help) {
            roff.control("PP", []);
            prose(roff, paragraph);
        }
        for argument in choice.get_arguments().filter(|arg| arg.get_help_heading() == Some(PARAMETERS)) {
            let name = format!("--{}", argument.get_long().unwrap_or_default());
            entry(roff, &name, &argument.get_help().map(ToString::to_string).unwrap_or_default());
        }
        roff.control("RE", []);
    }
}

/// Writes an entry of a list.
fn entry(roff: &mut Roff, name: &str, text: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(text)]);
}

fn environment(roff: &mut Roff, subcommand: Option<&str>) {
    roff.control("SH", ["ENVIRONMENT"]);
    let kernels = hashwell::kernels().join(", ");
    let kernel = format!(
        "Kernel to use for the algorithms that have it, instead of the fastest one: {kernels}. It is an error if the \
         kernel is unknown or needs a CPU feature that this machine lacks."
    );
    entry(roff, "HASHWELL_KERNEL", &kernel);
    if matches!(subcommand, None | Some("sum")) {
        let backend = "Implementation of SHA256-90R, with a name from the project that defined the algorithm: \
                       scalar, simd, sha_ni, gpu, pipelined, fpga or jit. A note on standard error names the kernel \
                       or device. The options --device and --mode and HASHWELL_KERNEL take precedence.";
        entry(roff, sha256_90r::VARIABLE, backend);
    }
    let calibrate = "If 0, kernels are used in a fixed order. By default, hashwell measures which kernel is fastest on \
                     this CPU when an algorithm is first used. Digests do not depend on this setting.";
    entry(roff, "HASHWELL_CALIBRATE", calibrate);
    if matches!(subcommand, None | Some("speed" | "git")) {
        for variable in hashwell_measure::peers::variables() {
            entry(
                roff,
                variable,
                "File of the library to compare with. By default, the library is found by its name.",
            );
        }
        entry(roff, "HASHWELL_PEERS", "Folder with additional libraries to compare with.");
    }
}

fn exit_status(roff: &mut Roff, paragraphs: &[&str]) {
    roff.control("SH", ["EXIT STATUS"]);
    let codes = paragraphs.iter().filter_map(|paragraph| paragraph.strip_prefix(EXIT_CODES));
    for code in codes.flat_map(|codes| codes.trim_end_matches('.').split("; ")) {
        let (number, meaning) = code.split_once(' ').unwrap_or((code, ""));
        entry(roff, number, meaning);
    }
}
