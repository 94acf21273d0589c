//! The public functions that each case tests.

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
    ("keys and tickets", "key::Key: allocation derive row stratum ticket words"),
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
        "sample::BottomK: capacity enters rows seen, sample::Sample: new capacity rows seen, sample::FisherYates: picked, sample::WithReplacement: capacity kept seen skip, algorithms::AliasTable: draw, weighted::Chao: capacity certain filled seen total, algorithms::FloatAliasTable: draw, weighted::AExpJ: capacity filled keys seen, weighted::WeightedReservoir: capacity rows, algorithms::ARes: keys seen, weighted::WeightedWithReplacement: capacity filled seen sum, weighted::WeightedTicket: draw, weighted::WeightedTickets: capacity rows, design::Clusters: admits bound is_empty iter len seen",
    ),
    ("SequentialSampler", "algorithms::SequentialSampler: new next_pick"),
    ("permutation", "draw: permutation (shuffle_integers)"),
    ("floyd", "algorithms: floyd"),
    ("multinomial", "sample: multinomial"),
    ("choose", "sample: choose"),
    ("SkipReservoir", "sample: from_iter"),
    ("AlgorithmR", "sample::ByRows: new (capacity enter passed seen skip), sample::Choices: (of)"),
    ("OffByOne", "sample::demonstration::RowsBefore: (of)"),
    ("rows of AlgorithmR", "sample::ByRows: capacity enter passed seen skip"),
    ("slices of weights", "weighted::AExpJ: pass_slice skip_slice"),
    (
        "tickets and keys of rows",
        "sample::Tickets: each each_number each_written new, sample::RowKeys: each_written new, sample::Ids: extend_short push",
    ),
    ("words of a source", "key::Key: words_of"),
    ("kept FisherYates", "sample::FisherYates: next_pick"),
    ("FisherYates", "sample::FisherYates: new picks"),
    ("kept WithReplacement", "sample::WithReplacement: new keep passed places skip"),
    ("WithReplacement", "sample::WithReplacement: pass_known rows_after"),
    ("BottomK", "sample::BottomK: new offer into_rows, sample::Tickets: of"),
    ("alias tables", "algorithms::AliasTable: new, algorithms::FloatAliasTable: new"),
    ("kept tables", "algorithms::AliasTable: new, algorithms::FloatAliasTable: new"),
    ("kept Chao", "weighted::Chao: new offer"),
    ("kept ARes", "algorithms::ARes: new offer"),
    ("kept AExpJ", "weighted::AExpJ: new offer"),
    ("systematic_pps", "weighted: systematic_pps"),
    ("merges", "sample: merge merge_with_replacement, sample::Sample: into_rows"),
    ("BottomK merged and saved", "sample::BottomK: merge offer_with"),
    ("four", "algorithms::haskell_sampling: resample sample presample psample"),
    ("Slots", "weighted::WeightedWithReplacement: new offer"),
    ("kept WeightedTickets", "weighted::WeightedTickets: new offer into_sorted"),
    ("kept WeightedReservoir", "weighted::WeightedReservoir: new offer into_sorted"),
    ("kept merges", "weighted::WeightedTickets: merge, weighted::WeightedReservoir: merge"),
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
    ("a saved SkipReservoir", "sample::BySkips: from_bytes to_bytes, sample::SavedRule: (load save)"),
    ("a saved AlgorithmR", "sample::ByRows: from_bytes to_bytes"),
    ("a saved WithReplacement", "sample::WithReplacement: from_bytes to_bytes"),
    ("a saved FisherYates", "sample::FisherYates: from_bytes to_bytes words"),
    ("a saved SequentialSampler", "algorithms::SequentialSampler: from_bytes to_bytes"),
    ("a saved BottomK", "sample::BottomK: from_bytes to_bytes"),
    ("a saved Chao", "weighted::Chao: from_bytes to_bytes"),
    ("a saved AExpJ", "weighted::AExpJ: from_bytes to_bytes"),
    ("a saved Slots", "weighted::WeightedWithReplacement: from_bytes to_bytes"),
    ("a saved WeightedTickets", "weighted::WeightedTickets: from_bytes to_bytes"),
    ("what a list says", "hwdraw::EntryList: columns digest id is_empty kind len numbers stratum weight"),
    (
        "what methods and origins say",
        "hwdraw::Method: has_tickets is_of_positions is_weighted name, hwdraw::Origin: name",
    ),
    ("what a plan and a line say", "hwdraw: not_text, hwdraw::Plan: picks"),
    (
        "what outcomes and unchecked items are called",
        "hwdraw::Unchecked: code, hwdraw::Mismatch: code, hwdraw::KeyMismatch: name, hwdraw::ListMismatch: name, \
         hwdraw::PicksMismatch: name, hwdraw::Verification: mismatches unchecked, hwdraw::Outcome: name, hwdraw::SeedSource: kind",
    ),
    ("a ticket as it is shown", "hwdraw::replay::consistent: shown"),
    ("who verifies", "hwdraw::beacon: verify_signatures, hwdraw::beacon::drand: verifies"),
    ("a list of strata and weights", "hwdraw::EntryList: strata"),
    ("a kept EntryListBuilder", "hwdraw::EntryListBuilder: finish new push"),
    (
        "a transcript",
        "hwdraw::EntryList: read, crate: interruptible, hwdraw::Transcript: draw from_json to_json to_json_or_stop, hwdraw: verify, \
          hwdraw::Verification: outcome (serialize), hwdraw::Unchecked: (serialize), hwdraw::Evidence: from",
    ),
    ("a draw of strata", "hwdraw::Plan: new, hwdraw: steps"),
    ("mismatches", "hwdraw::Mismatch: data (serialize), hwdraw::Unchecked: data"),
    ("columns", "hwdraw::Columns: names of_names"),
    (
        "a plan",
        "hwdraw: draw, hwdraw::Plan: check check_commitment commitment source text, hwdraw::ListSummary: layout, hwdraw::Transcript: draw_ids",
    ),
    (
        "seeds",
        "hwdraw::Seed: bytes check check_origin dice hex os source text, hwdraw::SeedSource: check (from), hwdraw::Planned: parse",
    ),
    ("RFC 3797", "hwdraw::replay::rfc3797: key picks"),
    ("Rivest's sampler", "hwdraw::replay::rivest: picks"),
    ("consistent_sampler", "hwdraw::replay::consistent: picks"),
    (
        "a drand round",
        "hwdraw::beacon::drand::Chain: time, hwdraw::beacon::drand::Round: check is_published randomness read read_unverified verify, hwdraw::beacon::drand::Info: read, hwdraw::Seed: drand",
    ),
    (
        "a pulse of NIST's",
        "hwdraw::beacon::nist::Pulse: certificate_sha512 check read verify, hwdraw::beacon::nist: is_published verifies, \
         hwdraw::beacon::nist::Certificate: read sha512, hwdraw::Seed: nist",
    ),
    (
        "what models say",
        "process::builtin::Ar1: last log_probability n stationary, process::builtin::Crp: alpha n partition, process::builtin::CrpTables: crp, process::builtin::GaltonWatson: extinct generations last, process::builtin::GamblersRuin: games ruin, process::builtin::Geometric: p, process::builtin::Hmm: observations states, process::builtin::HoppeUrn: partition, process::builtin::Moran: fixation, process::builtin::NegativeBinomial: log_probability moments, process::builtin::Partition: n tables together, process::builtin::PolyaUrn: colours first_colour n, process::builtin::RandomWalk: end, process::builtin::StickBreaking: partition",
    ),
    (
        "what chains say",
        "process::builtin::Chain: absorbs begin distribution step steps, process::builtin::GamblersRuin: absorbs begin distribution step steps, process::builtin::MarkovChain: absorbs begin distribution step steps, process::builtin::Moran: absorbs begin step steps, process::builtin::RandomWalk: absorbs begin distribution step steps",
    ),
    (
        "what a row says",
        "process::registry::Data: is_empty len, process::registry::Model: encoding entry log_probability observes, process::registry::Value: kind, process::show: count, process::interpret::Depth: default, process::interpret::Limits: default",
    ),
    (
        "a law's draws",
        "process::Outcome: flag index real, process::Distribution: admits borrowed draw each_outcome log_probability",
    ),
    ("multiply with carry", "process::Mwc256: into_words new next_f64 next_u32 next_u64 seeded default"),
    ("a seed of a run", "process::Run: new of_seed seeded"),
    (
        "urns, restaurants and their like",
        "process::builtin::Crp: new (distribution lacks_memory next start), process::builtin::CrpTables: new enumerable (distribution lacks_memory next start), process::builtin::HoppeUrn: new (distribution lacks_memory next start), process::builtin::PolyaUrn: new summary (distribution lacks_memory next start), process::builtin::Partition: new (distribution lacks_memory next start), process::builtin::PitmanYor: new of partition (distribution lacks_memory next start)",
    ),
    (
        "waiting, chains, families",
        "process::builtin::Geometric: new (distribution lacks_memory next start), process::builtin::NegativeBinomial: new (distribution lacks_memory next start), process::builtin::Walk: new summary chain log_probability (distribution lacks_memory next start), process::builtin::RandomWalk: new, process::builtin::GamblersRuin: new, process::builtin::MarkovChain: new, process::builtin::Moran: new (distribution), process::builtin::GaltonWatson: new summary (distribution lacks_memory next start), process::interpret: exact expect, process::interpret::Exact: log_evidence posterior sorted",
    ),
    (
        "what is hidden, and reals",
        "process::builtin::Hmm: new filter log_evidence smooth summary (distribution lacks_memory next start), process::builtin::MarkovChain: end, process::builtin::Ar1: new (distribution lacks_memory next start), process::builtin::StickBreaking: new without_sticks (distribution lacks_memory next start), process::builtin::Broken: sticks, process::interpret: sample score trace weigh_one, process::interpret::Trace: log_probability outcomes",
    ),
    (
        "labels behind others",
        "process::builtin::Partition: log_probability, process::builtin::PolyaUrn: log_probability, process::builtin::Crp: labels, process::builtin::HoppeUrn: labels, process::builtin::PitmanYor: labels",
    ),
    (
        "kept labels",
        "process::builtin::Crp: labels, process::builtin::HoppeUrn: labels, process::builtin::PitmanYor: labels",
    ),
    (
        "processes of one's own",
        "process: ana apo futu, process::Ana: (distribution lacks_memory next start), process::Apo: (distribution lacks_memory next start), process::Futu: (distribution lacks_memory next start), process::Program: and_then term (distribution lacks_memory next start), process::Coalgebra: (distribution lacks_memory next start), &C: (distribution lacks_memory next start)",
    ),
    (
        "interpreters of one's own process",
        "process::interpret: each explain simulate weigh, process::interpret::Weighted: effective_sample_size is_degenerate log_evidence mean posterior",
    ),
    ("pieces of a run", "process::interpret: pieces"),
    (
        "words of replicates",
        "process::ReplicateRng: ahead fill pass stream_position take, process::Run: replicate words",
    ),
    ("kept words of replicates", "process::Run: replicates, process::Replicates: left next_words"),
    (
        "all are built and sampled",
        "process::registry: find, process::registry::ModelEntry: build, process::registry::Given: new with, process::registry::Arguments: (count matrix number numbers whole wholes), process::registry::Model: sample",
    ),
    ("replicates of partitions", "process::registry::Model: simulate"),
    ("a law", "process::registry::Model: exact"),
    ("the law of a statistic", "process::registry::Model: exact_statistic"),
    ("outcomes and their picture", "process::ExactTable: counter facts of picture, process::Counted: add"),
    ("outcomes that are summed up", "process::ExactTable: outcome"),
    ("a trace and its score", "process::registry::Model: trace score"),
    ("a tree of terms", "process::registry::Model: explain, process::interpret::Tree: text"),
    ("weights and what was hidden", "process::registry::Model: moments smooth weigh"),
    ("pictures", "process::picture: of, process::registry::Model: sticks"),
    ("more pictures", "process::picture: bars of_many paths restaurant sticks tree"),
    ("a model's other ways", "process::registry::Model: shape statistic"),
    ("arguments of each kind", "process::registry::Argument: from"),
    (
        "values as texts",
        "process::show: fields header items json json_facts json_number most_bytes number separated text value, process::registry::Value: (serialize), process::registry: sizes tables",
    ),
    ("laws of one's own", "process::Distribution: into_owned, process::Mwc256: saved"),
    ("places of an error", "Error: in_replicate innermost from source"),
    (
        "what samples say",
        "row_sampling::Sample: goes_on k key seen, row_sampling::Slots: goes_on seen skip, row_sampling::Keys: bound",
    ),
    (
        "what designs say",
        "row_sampling::Design: method row, row_sampling::Form: name of_name, row_sampling::Kind: method replaces row, row_sampling::Method: allows needs of_name, row_sampling::Shape: agrees",
    ),
    ("weights", "row_sampling::Weigher: new of_text quick takes_floats, row_sampling::Value: is_positive"),
    ("rules, row by row", "row_sampling::Rule: gap of passed pick takes"),
    ("rules", "row_sampling::Rule: chance pass_rows"),
    ("rules of keys", "row_sampling::Rule: takes"),
    (
        "what samples say in words",
        "row_sampling::Sample: chance design drawn each_kept equal_chance shortage weights, row_sampling::Shortage: refused said, row_sampling::Slots: (shortage)",
    ),
    ("a kept sample of equal chances", "row_sampling::Slots: new offer"),
    ("a kept sample that rows pass", "row_sampling::Slots: pass_rows"),
    (
        "a kept sample of strata that rows pass",
        "row_sampling::Slots: pass_labelled, row_sampling::Sample: set_kept",
    ),
    ("picks with replacement", "row_sampling::Slots: picks_after"),
    ("a kept successive sample", "row_sampling::Slots: pass_weights passes_weights"),
    ("a kept sample in proportion to size", "row_sampling::Slots: pass_units passes_units"),
    (
        "equal chances",
        "row_sampling::Slots: passed, row_sampling::State: from_bytes to_bytes, row_sampling::Sample: picks, row_sampling::Picks: from is_empty iter len",
    ),
    ("keys", "row_sampling::Keys: new offer"),
    (
        "a split",
        "row_sampling::Shares: parse names part sizes, row_sampling::ExactSplit: new offer offer_rows seen counts parts, row_sampling::Dialect: is_usual",
    ),
    ("kept keys", "row_sampling::Keys: offer_ticket"),
    ("keys of strata", "row_sampling::Keys: passed"),
    ("a merged sample", "row_sampling: merge"),
    ("a race", "row_sampling::KeySampler: new order update"),
    (
        "a request and its record",
        "row_sampling::SamplingOptions: design from_json request, row_sampling::Amount: from, row_sampling::RequestError: text, row_sampling::Spelling: (argument name), row_sampling::SamplingRequest: sampler, row_sampling::SavedRecord: differences has_key read",
    ),
    ("a record", "row_sampling: check_record, row_sampling::Record: text"),
    ("texts of keys and shards", "row_sampling: context_of joined parts_of_context, row_sampling::Seed: key"),
    ("keys that were selected before", "row_sampling::Reuse: add is_looking see warning"),
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

/// Functions without a case. The first one needs a value that other crates cannot create. The others are those of
/// serde, which the case "a request and its record" calls through JSON.
const WITHOUT: &str = "process::registry::Arguments: iter, row_sampling::Design: deserialize serialize";
