//! Which case looks at which public functions.

use crate::every_function::Cases;
use crate::{ASKING, KEPT, QUIET};

const LOOKED_AT: &[(&str, &str)] = &[
    (
        "numbers",
        "draw: below below_lemire below_u128 bernoulli bernoulli_of beta exponential gaussian shuffle unit unit_positive, draw::Exponential: cmp_over to_f64",
    ),
    ("categorical", "draw: categorical"),
    ("categorical_exact", "draw: categorical_exact"),
    ("functions", "number: exp expm1 ln ln_beta ln_gamma log1p minus_ln_unit, weighted: race_key"),
    (
        "ratios",
        "number::Ratio: complement denominator new numerator tickets to_f64 from_str, number::Decimal: integer new scale, design: takes",
    ),
    ("keys and tickets", "key::Key: derive row stratum ticket words"),
    (
        "rules without a list",
        "design::BernoulliSkips: new skip, design::Decay: half_life key new, design::Systematic: every of next",
    ),
    (
        "reservoirs",
        "sample::BySkips: new words capacity enter passed seen skip, &mut R: capacity enter passed seen skip, sample::Reservoir: capacity enter passed seen skip, sample::SkipRule: (next start), sample::demonstration::Frozen: (next start)",
    ),
    (
        "what samplers say",
        "sample::BottomK: capacity enters rows seen, sample::Sample: new capacity rows seen, sample::FisherYates: picked, sample::WithReplacement: capacity seen skip, weighted::AliasTable: draw, weighted::Chao: capacity certain filled seen total, weighted::FloatAliasTable: draw, weighted::Jumps: capacity filled keys seen, weighted::Race: capacity rows, weighted::Res: keys seen, weighted::Slots: capacity filled seen, weighted::WeightedTicket: draw, weighted::WeightedTickets: capacity rows, design::Clusters: admits bound is_empty iter len seen",
    ),
    ("InOrder", "sample::InOrder: new next_pick"),
    ("permutation", "draw: permutation"),
    ("floyd", "sample: floyd"),
    ("multinomial", "sample: multinomial"),
    ("choose", "sample: choose"),
    ("Gap", "sample: from_iter"),
    ("AlgorithmR", "sample::ByRows: new (capacity enter passed seen skip), sample::Choices: (of)"),
    ("OffByOne", "sample::demonstration::RowsBefore: (of)"),
    ("rows of AlgorithmR", "sample::ByRows: capacity enter passed seen skip"),
    ("slices of weights", "weighted::Jumps: skip_slice"),
    (
        "tickets and keys of rows",
        "sample::Tickets: each each_written new, sample::RowKeys: each_written new, sample::Ids: extend_short push",
    ),
    ("words of a source", "key::Key: words_of"),
    ("kept FisherYates", "sample::FisherYates: next_pick"),
    ("FisherYates", "sample::FisherYates: new picks"),
    ("kept WithReplacement", "sample::WithReplacement: new enter passed skip"),
    ("BottomK", "sample::BottomK: new offer into_rows, sample::Tickets: of"),
    ("alias tables", "weighted::AliasTable: new, weighted::FloatAliasTable: new"),
    ("kept tables", "weighted::AliasTable: new, weighted::FloatAliasTable: new"),
    ("kept Chao", "weighted::Chao: new offer"),
    ("kept Res", "weighted::Res: new offer"),
    ("kept Jumps", "weighted::Jumps: new offer"),
    ("systematic_pps", "weighted: systematic_pps"),
    ("merges", "sample: merge merge_with_replacement, sample::Sample: into_rows"),
    ("BottomK merged and saved", "sample::BottomK: merge offer_with"),
    ("four", "sample::four: resample sample, weighted::four: presample psample"),
    ("Slots", "weighted::Slots: new offer"),
    ("kept WeightedTickets", "weighted::WeightedTickets: new offer into_sorted"),
    ("kept Race", "weighted::Race: new offer into_sorted"),
    ("kept merges", "weighted::WeightedTickets: merge, weighted::Race: merge"),
    ("designs", "design: allocate, design::Strata: iter new offer"),
    ("kept Clusters", "design::Clusters: new offer"),
    ("Clusters", "design::Clusters: contains into_sorted rows_mut"),
    ("kept Clusters, merged", "design::Clusters: merge"),
    ("digits", "hex: decode decode_any_case digits encode"),
    (
        "a reader",
        "state::Reader: bytes contradiction end f64 left new option_u128 u128 u64 usize, state::Kind: name",
    ),
    ("a writer", "state::Writer: bytes f64 finish new option_u128 u128 u64"),
    ("a saved Gap", "sample::BySkips: from_bytes to_bytes, sample::SavedRule: (load save)"),
    ("a saved AlgorithmR", "sample::ByRows: from_bytes to_bytes"),
    ("a saved WithReplacement", "sample::WithReplacement: from_bytes to_bytes words"),
    ("a saved FisherYates", "sample::FisherYates: from_bytes to_bytes words"),
    ("a saved InOrder", "sample::InOrder: from_bytes to_bytes"),
    ("a saved BottomK", "sample::BottomK: from_bytes to_bytes"),
    ("a saved Chao", "weighted::Chao: from_bytes to_bytes"),
    ("a saved Jumps", "weighted::Jumps: from_bytes to_bytes"),
    ("a saved Slots", "weighted::Slots: from_bytes to_bytes"),
    ("a saved WeightedTickets", "weighted::WeightedTickets: from_bytes to_bytes"),
    ("what a frame says", "hwdraw::Frame: columns digest id is_empty kind len numbers stratum weight"),
    (
        "what methods and origins say",
        "hwdraw::Method: has_tickets is_of_positions is_weighted name, hwdraw::Origin: name",
    ),
    ("what a plan says", "hwdraw::Plan: picks"),
    ("what a verdict says", "hwdraw::Verdict: agrees"),
    ("a ticket as it is shown", "hwdraw::replay::consistent: shown"),
    ("who verifies", "hwdraw::beacon: verify_signatures, hwdraw::beacon::drand: verifies"),
    ("a frame of strata and weights", "hwdraw: allocate, hwdraw::Frame: strata"),
    ("a kept FrameBuilder", "hwdraw::FrameBuilder: finish new push"),
    ("a transcript", "hwdraw::Frame: read, hwdraw::Transcript: draw from_json to_json, hwdraw: verify"),
    ("a draw of strata", "hwdraw::Plan: new, hwdraw: steps"),
    ("columns", "hwdraw::Columns: names of_names"),
    ("a plan", "hwdraw: draw, hwdraw::Plan: check commitment source text"),
    ("seeds", "hwdraw::Seed: bytes check dice hex os source text"),
    ("RFC 3797", "hwdraw::replay::rfc3797: key picks"),
    ("Rivest's sampler", "hwdraw::replay::rivest: picks"),
    ("consistent_sampler", "hwdraw::replay::consistent: picks"),
    (
        "a round of drand",
        "hwdraw::beacon::drand::Round: is_published randomness read verify, hwdraw::Seed: drand",
    ),
    (
        "a pulse of NIST's",
        "hwdraw::beacon::nist::Pulse: has_certificate read verify whose, hwdraw::Seed: nist",
    ),
    (
        "what models say",
        "process::model::Ar1: last log_probability n stationary, process::model::Crp: alpha n partition, process::model::CrpTables: crp, process::model::GaltonWatson: extinct generations last, process::model::GamblersRuin: games ruin, process::model::Geometric: p, process::model::Hmm: observations states, process::model::HoppeUrn: partition, process::model::Moran: fixation, process::model::NegativeBinomial: log_probability moments, process::model::Partition: n tables together, process::model::PolyaUrn: colours first_colour n, process::model::RandomWalk: end, process::model::StickBreaking: partition",
    ),
    (
        "what chains say",
        "process::model::Chain: absorbs begin law step steps, process::model::GamblersRuin: absorbs begin law step steps, process::model::MarkovChain: absorbs begin law step steps, process::model::Moran: absorbs begin step steps, process::model::RandomWalk: absorbs begin law step steps",
    ),
    (
        "what a row says",
        "process::registry::Data: is_empty len, process::registry::Model: encoding log_probability observes row, process::registry::Value: outcome, process::show: count, process::interpret::Depth: default, process::interpret::Limit: default, process::interpret::Simulation: default",
    ),
    (
        "a law's draws",
        "process::Draw: flag index real, process::Law: admits borrowed draw each_draw log_probability",
    ),
    ("multiply with carry", "process::Mwc256: into_words new next_f64 next_u32 next_u64 seeded default"),
    ("a seed of a run", "process::Run: new of_seed seeded"),
    (
        "urns, restaurants and their like",
        "process::model::Crp: new (law next start), process::model::CrpTables: new enumerable (law next start), process::model::HoppeUrn: new (law next start), process::model::PolyaUrn: new summary (law next start), process::model::Partition: new (law next start), process::model::PitmanYor: new of partition (law next start)",
    ),
    (
        "waiting, chains, families",
        "process::model::Geometric: new (law next start), process::model::NegativeBinomial: new (law next start), process::model::Walk: new summary chain log_probability (law next start), process::model::RandomWalk: new, process::model::GamblersRuin: new, process::model::MarkovChain: new, process::model::Moran: new (law), process::model::GaltonWatson: new summary (law next start), process::interpret: exact expect, process::interpret::Exact: log_evidence posterior sorted",
    ),
    (
        "what is hidden, and reals",
        "process::model::Hmm: new filter log_evidence smooth summary (law next start), process::model::MarkovChain: end, process::model::Ar1: new (law next start), process::model::StickBreaking: new without_sticks (law next start), process::model::Broken: sticks, process::interpret: sample sample_while sample_within score trace trace_within weigh_one, process::interpret::Trace: draws log_probability",
    ),
    (
        "labels behind others",
        "process::model::Partition: log_probability, process::model::PolyaUrn: log_probability, process::model::Crp: labels, process::model::HoppeUrn: labels, process::model::PitmanYor: labels",
    ),
    (
        "kept labels",
        "process::model::Crp: labels, process::model::HoppeUrn: labels, process::model::PitmanYor: labels",
    ),
    (
        "processes of one's own",
        "process: ana apo futu, process::Ana: (law next start), process::Apo: (law next start), process::Futu: (law next start), process::Program: and_then term (law next start), process::Coalgebra: (law next start), &C: (law next start)",
    ),
    (
        "interpreters of one's own process",
        "process::interpret: each explain simulate weigh, process::interpret::Weighted: effective_sample_size log_evidence mean posterior",
    ),
    ("pieces of a run", "process::interpret: pieces"),
    (
        "words of replicates",
        "process::ReplicateWords: ahead fill pass stream_position take, process::Run: replicate words",
    ),
    ("kept words of replicates", "process::Run: replicates, process::Replicates: left next_words"),
    (
        "all are built and sampled",
        "process::registry: find, process::registry::ProcessRow: build, process::registry::Given: new with, process::registry::Arguments: (count matrix number numbers whole wholes), process::registry::Model: sample",
    ),
    ("replicates of partitions", "process::registry::Model: simulate"),
    ("replicates in a row", "process::registry::Model: simulate_in_a_row"),
    ("a law", "process::registry::Model: exact"),
    ("the law of a statistic", "process::registry::Model: statistic_law"),
    ("outcomes and their picture", "process::Outcomes: counter facts of picture, process::Counted: add"),
    ("outcomes that are summed up", "process::Outcomes: summed_up"),
    ("a trace and its score", "process::registry::Model: trace score"),
    ("a tree of terms", "process::registry::Model: explain, process::interpret::Tree: text"),
    ("weights and what was hidden", "process::registry::Model: moments smooth weigh"),
    ("pictures", "process::picture: of, process::registry::Model: sticks"),
    ("more pictures", "process::picture: bars of_many paths restaurant sticks tree"),
    (
        "a model's other ways",
        "process::registry::Model: explain_while sample_while score_while shape summed_up trace_within",
    ),
    ("arguments of each kind", "process::registry::Argument: from"),
    (
        "values as texts",
        "process::show: fields header items json json_facts json_number number separated text value, process::registry::Value: (serialize), process::registry: sizes tables",
    ),
    ("laws of one's own", "process::Law: into_owned, process::Mwc256: saved"),
    ("places of an error", "Error: in_replicate innermost from source"),
    (
        "what samples say",
        "survey::Sample: goes_on k key seen, survey::Slots: goes_on seen skip, survey::Keys: bound",
    ),
    (
        "what designs say",
        "survey::Design: method, survey::Form: name, survey::Kind: method replaces, survey::Shape: agrees",
    ),
    ("weights", "survey::Weigher: new of_text quick takes_floats, survey::Value: is_positive"),
    ("rules, row by row", "survey::Rule: gap of passed pick takes"),
    ("rules", "survey::Rule: chance pass_rows"),
    ("rules of keys", "survey::Rule: takes"),
    (
        "what samples say in words",
        "survey::Sample: chance design drawn kept_mut shortage, survey::Shortage: refused said, survey::Slots: (shortage)",
    ),
    ("a kept sample of equal chances", "survey::Slots: new offer"),
    ("a kept sample that rows pass", "survey::Slots: pass_rows"),
    ("equal chances", "survey::Slots: passed, survey::State: from_bytes to_bytes, survey::Sample: picks"),
    ("keys", "survey::Keys: new offer"),
    ("kept keys", "survey::Keys: offer_ticket"),
    ("keys of strata", "survey::Keys: passed"),
    ("a merged sample", "survey: merge"),
    ("a race", "survey::Race: new order update"),
    ("a record", "survey::Record: text"),
    ("texts of keys and shards", "survey: context_of_shard joined, survey::Seed: key"),
];

#[test]
fn every_public_function_has_a_case() {
    let owner = |path: &str| match path.strip_prefix("hashwell_draw::") {
        Some(path) => path.to_owned(),
        None => path.replace("hashwell_draw", "crate"),
    };
    let text = [
        include_str!("main.rs"),
        include_str!("draws.rs"),
        include_str!("processes.rs"),
        include_str!("records.rs"),
        include_str!("saved.rs"),
        include_str!("surveys.rs"),
    ];
    Cases {
        api: include_str!("../../api.txt"),
        owner: &owner,
        names: [QUIET, ASKING, KEPT]
            .into_iter()
            .flatten()
            .copied()
            .flatten()
            .map(|(name, _)| *name)
            .collect(),
        text: &text.concat(),
        looked_at: LOOKED_AT,
        without: WITHOUT,
    }
    .check();
}

/// Those of which nobody outside has a value.
const WITHOUT: &str = "process::registry::Arguments: iter";
