//! Options of the sampling and table commands that have another name here than before or elsewhere.

/// The old or guessed names of an option, by the pages of help, and what to use instead.
const OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (SAMPLE, &["--key", "--group", "--groupby"], "use --group-by"),
    (SAMPLE, &["--by", "--strata", "--stratum"], "use --stratify"),
    (SAMPLE, &["--missing-weight"], "use --default-weight"),
    (SAMPLE, &["--weights"], "use --weight COL"),
    (SAMPLE, &["--frac", "--fraction", "--chance"], "use -p/--probability"),
    (SAMPLE, &["-k", "--picks", "--count", "--size"], "use -n"),
    (SAMPLE, &["--random-state"], "use --seed"),
    (SAMPLE, &["--rest"], "use --complement"),
    (DRAW, &["-k", "--count", "--size"], "use -n/--picks"),
    (DRAW, &["--numbers"], "use --range N"),
    (DRAW, &["--chance", "--frac", "--fraction"], "use -p/--probability"),
    (DRAW, &["--weights"], "use --weight COL"),
    (DRAW, &["--by", "--stratum"], "use --stratify"),
    (VERIFY, &["--by", "--stratum"], "use --stratify"),
    (VERIFY, &["--weights"], "use --weight COL"),
    (TABLE, &["--diff"], "use 'hashwell diff OLD NEW'"),
    (TABLE, &["--each"], "use --per-row"),
    (TABLE, &["--suite"], "use --scheme"),
    (TABLES, &["--declared-order"], "use --ordered-columns"),
];

const SAMPLE: &[&str] = &["hashwell sample"];
const DRAW: &[&str] = &["hashwell draw"];
const VERIFY: &[&str] = &["hashwell verify"];
const TABLE: &[&str] = &["hashwell table"];
const TABLES: &[&str] = &["hashwell table", "hashwell diff"];

/// Returns what to use instead of an option that the command does not have.
pub(crate) fn instead(page: &str, option: &str) -> Option<&'static str> {
    let known =
        |(pages, names, _): &&(&[&str], &[&str], &str)| pages.contains(&page) && names.contains(&option);
    OPTIONS.iter().find(known).map(|(.., instead)| *instead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::args::Options;
    use clap::CommandFactory;

    #[test]
    fn no_option_is_called_as_an_old_one() {
        let mut program = Options::command();
        program.build();
        for (pages, names, _) in OPTIONS {
            for (page, name) in pages.iter().flat_map(|page| names.iter().map(move |name| (page, name))) {
                let command = program.find_subcommand(page.strip_prefix("hashwell ").unwrap()).unwrap();
                let is_there = command.get_arguments().any(|argument| {
                    argument.get_long().is_some_and(|long| format!("--{long}") == *name)
                        || argument.get_short().is_some_and(|short| format!("-{short}") == *name)
                });
                assert!(!is_there, "{page} {name}");
            }
        }
        assert_eq!(instead("hashwell sample", "--key"), Some("use --group-by"));
    }
}
