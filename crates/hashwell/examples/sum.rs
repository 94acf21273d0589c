//! Prints digests of files like `sha256sum`: `cargo run --example sum -p hashwell -- blake3 FILE...`
//!
//! Each file is read once, and the memory that is needed does not depend on its size.

use std::error::Error;
use std::fs::File;
use std::io;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "sha256".to_owned());
    arguments.try_for_each(|file| {
        println!("{}  {file}", sum(&name, Path::new(&file))?);
        Ok(())
    })
}

/// Returns the digest of a file in hexadecimal, with the algorithm of this name.
fn sum(name: &str, file: &Path) -> Result<String, Box<dyn Error>> {
    let mut hasher = hashwell::find(name)?.hasher();
    io::copy(&mut File::open(file)?, &mut hasher)?;
    Ok(hasher.digest().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[test]
fn sums_are_the_known_ones() {
    let empty = std::env::temp_dir().join(format!("hashwell-example-{}", std::process::id()));
    File::create(&empty).unwrap();
    let digest = sum("sha256", &empty);
    let unknown = sum("sha-256-and-a-half", &empty);
    std::fs::remove_file(&empty).unwrap();
    assert_eq!(digest.unwrap(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert!(unknown.unwrap_err().to_string().contains("sha-256-and-a-half"));
    assert!(sum("sha256", &empty).is_err());
}
