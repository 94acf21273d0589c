//! The participants of a run: every provider's implementations, whose digests are compared with those of hashwell's
//! portable kernels before they are timed.

use super::plan::{Against, BATCH, Contest, Plan, SCALING_BATCH, THREADED_BATCH, Table};
use crate::peers::{Contender, Digests, Elsewhere, Kind, Peers, Stream, Task, Work, masked, ours, xxhash};
use crate::report::{Availability, Group, Operation, Provider, Row, Standing, State, ceiling};
use crate::timing::clock::{Candidate, Clock};
use crate::timing::input::random_bytes;
use hashwell::{ALGORITHMS, Algorithm};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;
use std::sync::Arc;

/// A row and how to time it.
pub(crate) struct Entrant {
    /// The row, without cells.
    pub(crate) row: Row,
    /// The message sizes, in ascending order.
    pub(crate) sizes: Vec<u64>,
    /// True if the messages of one call are different from each other. Otherwise the same message is used repeatedly.
    distinct: bool,
    clock: Clock,
    work: Timed,
}

enum Timed {
    /// Computes digests of this size in bytes.
    Digests(Digests<'static>, usize),
    Absorb(Box<dyn Stream>),
    Read(Box<dyn Stream>),
    Elsewhere(Elsewhere),
}

impl Entrant {
    /// The number of bytes of input that it needs.
    pub(crate) fn input(&self) -> u64 {
        let messages = if self.distinct { self.row.messages } else { 1 };
        self.sizes.last().map_or(0, |bytes| bytes * messages as u64)
    }

    /// A function that hashes one message of this size per call. `None` if the work is in another process or on several
    /// threads.
    pub(crate) fn call<'a>(&'a mut self, input: &'a [u8], bytes: usize) -> Option<impl FnMut() + 'a> {
        let Timed::Digests(digests, output) = &mut self.work else { return None };
        if self.row.messages != 1 || self.clock != Clock::Thread {
            return None;
        }
        let messages = [&input[..bytes]];
        let mut out = vec![0; *output];
        Some(move || digests(black_box(&messages), black_box(&mut out)))
    }

    /// The candidate for timing one operation at this size.
    pub(crate) fn candidate<'a>(&'a mut self, input: &'a [u8], bytes: usize) -> Candidate<'a> {
        let message = &input[..bytes];
        match &mut self.work {
            Timed::Digests(digests, output) => {
                let messages: Vec<&[u8]> = match self.distinct {
                    true => input.chunks_exact(bytes).take(self.row.messages).collect(),
                    false => vec![message; self.row.messages],
                };
                let mut out = vec![0; *output * messages.len()];
                Candidate::by(self.clock, move || digests(black_box(&messages), black_box(&mut out)))
            }
            Timed::Absorb(stream) => Candidate::by(self.clock, move || stream.absorb(black_box(message))),
            Timed::Read(stream) => {
                stream.absorb(b"seed");
                let mut out = vec![0; bytes];
                Candidate::by(self.clock, move || stream.read(black_box(&mut out)))
            }
            Timed::Elsewhere(elsewhere) => Candidate::elsewhere(|repeats| {
                (elsewhere.nanoseconds)(repeats).expect("the child process answers")
            }),
        }
    }
}

/// All entrants, and the findings about providers.
pub(crate) struct Entrants {
    pub(crate) list: Vec<Entrant>,
    pub(crate) providers: Vec<Provider>,
    pub(crate) availability: Vec<Availability>,
    pub(crate) complaints: Vec<String>,
}

impl Entrants {
    /// Finds all rows of the plan that are measured on one core, or all rows that are measured on all cores.
    ///
    /// # Errors
    /// Returns a message if hashwell itself fails.
    pub(crate) fn find(plan: &Plan, all_cores: bool) -> Result<Self, String> {
        let peers = Peers::find();
        let ourselves = Provider {
            name: ours::NAME.into(),
            version: Some(env!("CARGO_PKG_VERSION").into()),
            path: None,
            missing: None,
        };
        let theirs = peers.found.iter().map(|found| found.about.clone());
        let mut entrants = Self {
            list: Vec::new(),
            providers: [ourselves].into_iter().chain(theirs).collect(),
            availability: Vec::new(),
            complaints: Vec::new(),
        };
        let checks = Checks::new();
        let pools = if all_cores { entrants.pools(plan) } else { Vec::new() };
        if !plan.tables.is_empty() {
            for algorithm in ALGORITHMS {
                entrants.of(algorithm, plan, &peers, &checks, all_cores).map_err(|e| e.to_string())?;
                entrants.scaling(algorithm, plan, &checks, &pools).map_err(|e| e.to_string())?;
            }
            if !all_cores {
                entrants.ceiling(plan, &peers);
            }
        }
        for contest in plan.contests.iter().filter(|_| !all_cores) {
            entrants.contest(contest, &peers).map_err(|e| format!("{}: {e}", contest.name))?;
        }
        Ok(entrants)
    }

    fn of(
        &mut self,
        algorithm: &'static Algorithm,
        plan: &Plan,
        peers: &Peers,
        checks: &Checks,
        all_cores: bool,
    ) -> Result<(), hashwell::Error> {
        let task = Task { algorithm: algorithm.name, kind: Kind::Digest };
        let expected = checks.expected(task)?;
        let mut admitted = Vec::new();
        for contender in [ours::contender(task)?].into_iter().chain(peers.contenders(task)) {
            let provider = contender.provider.clone();
            let right = self.admit(algorithm, contender, checks, &expected);
            self.note(algorithm, &provider, right.is_some());
            admitted.extend(right);
        }
        for (about, _) in peers.providers().filter(|(_, provider)| provider.has_uncalled(algorithm.name)) {
            self.availability.push(Availability {
                algorithm: algorithm.name.into(),
                provider: about.name.clone(),
                state: State::Uncalled,
            });
        }
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        if all_cores && plan.wants(algorithm) {
            admitted.retain(|contender| contender.threads > 1);
            let own = ours::on_all_cores(algorithm, threads);
            admitted.extend(own.and_then(|own| self.admit(algorithm, own, checks, &expected)));
            self.enter(plan, &Hash::of(algorithm), Group::Threaded, 1, admitted);
            let many = (!algorithm.batch_kernels().is_empty())
                .then(|| ours::many_on_all_cores(algorithm, threads))
                .transpose()?;
            let many = many.and_then(|many| self.admit(algorithm, many, checks, &expected));
            self.enter(plan, &Hash::of(algorithm), Group::Threaded, THREADED_BATCH, many);
        } else if !all_cores {
            if plan.wants(algorithm) {
                self.enter(plan, &Hash::of(algorithm), Group::Single, 1, admitted);
                self.streams(plan, algorithm, peers, checks)?;
            }
            if plan.kernels.iter().any(|name| name == algorithm.name) {
                self.kernels(plan, algorithm, checks, &expected)?;
            }
        }
        Ok(())
    }

    /// Creates the thread pools of a plan. If the system can't start this number of threads, that is reported, and the
    /// number is not measured.
    fn pools(&mut self, plan: &Plan) -> Vec<Arc<ThreadPool>> {
        let wanted = plan.tables.contains(&Table::Scaling) && plan.wants_provider(ours::NAME);
        let counts = plan.thread_counts.iter().filter(|_| wanted);
        let mut pools = Vec::new();
        for count in counts {
            match ThreadPoolBuilder::new().num_threads(*count).build() {
                Ok(pool) => pools.push(Arc::new(pool)),
                Err(error) => self.complain(format!("cannot start {count} threads: {error}")),
            }
        }
        pools
    }

    /// Adds rows for hashwell on each of these pools: for one message if the algorithm is a tree hash, and for many
    /// messages.
    fn scaling(
        &mut self,
        algorithm: &'static Algorithm,
        plan: &Plan,
        checks: &Checks,
        pools: &[Arc<ThreadPool>],
    ) -> Result<(), hashwell::Error> {
        if pools.is_empty() || !plan.wants(algorithm) {
            return Ok(());
        }
        let expected = checks.expected(Task { algorithm: algorithm.name, kind: Kind::Digest })?;
        for pool in pools {
            let one = ours::on_pool(algorithm, Arc::clone(pool));
            let many = ours::many_on_pool(algorithm, Arc::clone(pool))?;
            for (messages, contender) in [(1, one), (SCALING_BATCH, Some(many))] {
                let right = contender.and_then(|own| self.admit(algorithm, own, checks, &expected));
                self.enter(plan, &Hash::of(algorithm), Group::Scaling, messages, right);
            }
        }
        Ok(())
    }

    /// Returns the contender if its digests are right; otherwise adds a complaint.
    fn admit(
        &mut self,
        algorithm: &'static Algorithm,
        mut contender: Contender<'static>,
        checks: &Checks,
        expected: &[u8],
    ) -> Option<Contender<'static>> {
        let wrong = first_wrong(&mut contender.work, &checks.messages(), expected);
        if let Some(wrong) = wrong {
            let kernel = contender.kernel.as_ref().map_or_else(String::new, |kernel| format!(" ({kernel})"));
            let (title, name, len) = (algorithm.title, contender.name(), checks.messages()[wrong].len());
            self.complain(format!(
                "{name}{kernel} returns a wrong {title} digest for {len} bytes; it was not timed"
            ));
        }
        wrong.is_none().then_some(contender)
    }

    fn note(&mut self, algorithm: &'static Algorithm, provider: &str, right: bool) {
        let state = if right { State::Right } else { State::Wrong };
        let known =
            self.availability.iter_mut().find(|a| a.algorithm == algorithm.name && a.provider == provider);
        match known {
            Some(known) if state == State::Wrong => known.state = state,
            Some(_) => {}
            None => self.availability.push(Availability {
                algorithm: algorithm.name.into(),
                provider: provider.into(),
                state,
            }),
        }
    }

    /// Adds rows for these contenders, if the plan includes them.
    fn enter(
        &mut self,
        plan: &Plan,
        hash: &Hash,
        group: Group,
        messages: usize,
        contenders: impl IntoIterator<Item = Contender<'static>>,
    ) {
        let operation = if messages == 1 { Operation::Digest } else { Operation::Many };
        for contender in contenders {
            let clock = if group.uses_several_cores() { Clock::Wall } else { contender.clock() };
            let most = contender.most();
            // Several threads that share one core must not be confused with the same threads on all cores.
            let variant = match contender.variant {
                Some(_) if clock == Clock::Process => {
                    Some(format!("{} threads, one core", contender.threads))
                }
                variant => variant,
            };
            let Work::Here(digests) = contender.work else { continue };
            let row = Row {
                variant,
                kernel: contender.kernel,
                messages,
                threads: contender.threads,
                ..hash.row(group, operation, contender.provider)
            };
            self.push_at_most(most, plan, row, clock, Timed::Digests(digests, hash.output));
        }
    }

    fn push(&mut self, plan: &Plan, row: Row, clock: Clock, work: Timed) {
        self.push_at_most(u64::MAX, plan, row, clock, work);
    }

    /// Same as [`Entrants::push`], for sizes of at most `most` bytes.
    fn push_at_most(&mut self, most: u64, plan: &Plan, row: Row, clock: Clock, work: Timed) {
        let mut sizes = plan.sizes(row.group, row.operation);
        sizes.retain(|bytes| *bytes <= most);
        if !sizes.is_empty() && plan.wants_provider(&row.provider) {
            self.list.push(Entrant { row, sizes, distinct: false, clock, work });
        }
    }

    /// Adds all participants of a contest, hashwell first.
    fn contest(&mut self, contest: &Contest, peers: &Peers) -> Result<(), hashwell::Error> {
        let task = |name| Ok(Task { algorithm: hashwell::find(name)?.name, kind: contest.kind });
        let task_of_ours = task(&contest.algorithm)?;
        let (task_of_theirs, theirs) = match &contest.against {
            Against::Peers => (task_of_ours, peers.contenders(task_of_ours)),
            Against::PeersOf(name) => (task(name)?, peers.contenders(task(name)?)),
            Against::Ourselves(name) => (task(name)?, vec![ours::contender(task(name)?)?]),
            Against::MaskedOpenssl => (task_of_ours, self.masked_openssl(contest)),
        };
        let ours = match contest.against {
            Against::MaskedOpenssl => {
                ours::on_kernels(ours::algorithm(task_of_ours), |kernel| !kernel.contains("sha-ni"))?
            }
            _ => vec![ours::contender(task_of_ours)?],
        };
        let operation = match contest.kind {
            Kind::Digest => Operation::Digest,
            Kind::Many => Operation::Many,
            Kind::Hmac | Kind::HmacMany => Operation::Hmac,
            Kind::Drbg => Operation::Drbg,
        };
        let input = random_bytes(contest.bytes as usize * contest.messages);
        let messages: Vec<&[u8]> = input.chunks_exact(contest.bytes as usize).collect();
        for (task, contenders) in [(task_of_ours, ours), (task_of_theirs, theirs)] {
            let expected = ours::expected(task, &messages)?;
            for mut contender in contenders {
                if first_wrong(&mut contender.work, &messages, &expected).is_some() {
                    let (contest, name) = (&contest.name, contender.name());
                    self.complain(format!("{contest}: {name} returns wrong results and is excluded"));
                    continue;
                }
                let clock = contender.clock();
                let row = Row {
                    contest: Some(contest.name.clone()),
                    variant: contender.variant,
                    kernel: contender.kernel,
                    messages: contest.messages,
                    threads: contender.threads,
                    ..Hash::of(ours::algorithm(task)).row(Group::Contest, operation, contender.provider)
                };
                let work = match contender.work {
                    Work::Here(digests) => Timed::Digests(digests, expected.len() / messages.len()),
                    Work::Elsewhere(elsewhere) => Timed::Elsewhere(elsewhere),
                };
                self.list.push(Entrant { row, sizes: vec![contest.bytes], distinct: true, clock, work });
            }
        }
        Ok(())
    }

    /// OpenSSL without the SHA extensions, in a child process. Empty if the child process can't be started.
    fn masked_openssl(&mut self, contest: &Contest) -> Vec<Contender<'static>> {
        match masked::contender(&contest.algorithm, contest.bytes as usize) {
            Ok(contender) => vec![contender],
            Err(error) => {
                self.complain(format!("{}: can't run OpenSSL in a child process: {error}", contest.name));
                Vec::new()
            }
        }
    }

    /// Adds every kernel with one message, every batch kernel also with many messages, and then devices with one
    /// message and with many.
    fn kernels(
        &mut self,
        plan: &Plan,
        algorithm: &'static Algorithm,
        checks: &Checks,
        expected: &[u8],
    ) -> Result<(), hashwell::Error> {
        let both = [(1, ours::on_kernels(algorithm, |_| true)?), (BATCH, ours::on_batch_kernels(algorithm)?)];
        for (messages, contenders) in both {
            for contender in contenders {
                let right = self.admit(algorithm, contender, checks, expected);
                self.enter(plan, &Hash::of(algorithm), Group::Kernels, messages, right);
            }
        }
        for (messages, contender) in crate::peers::devices::on_devices(algorithm, [1, BATCH]) {
            let right = self.admit(algorithm, contender, checks, expected);
            self.enter(plan, &Hash::of(algorithm), Group::Kernels, messages, right);
        }
        Ok(())
    }

    /// Adds absorbing and reading as separate rows. Each row has its own stream.
    fn streams(
        &mut self,
        plan: &Plan,
        algorithm: &'static Algorithm,
        peers: &Peers,
        checks: &Checks,
    ) -> Result<(), hashwell::Error> {
        if algorithm.kind != hashwell::Kind::Xof {
            return Ok(());
        }
        let portable = algorithm.kernels().last().map(|kernel| kernel.name);
        let expected = checks.output(&mut *ours::stream(algorithm, portable)?);
        let kernel = algorithm.hasher().kernel();
        for operation in [Operation::Absorb, Operation::Read] {
            let mut streams =
                vec![(ours::NAME.to_owned(), Some(kernel.to_owned()), ours::stream(algorithm, None)?)];
            streams.extend(peers.providers().filter_map(|(about, provider)| {
                Some((about.name.clone(), None, provider.stream(algorithm.name)?))
            }));
            for (provider, kernel, mut stream) in streams {
                if checks.output(&mut *stream) != expected {
                    self.note(algorithm, &provider, false);
                    self.complain(format!(
                        "the {} output stream of {provider} is wrong; it was not timed",
                        algorithm.title
                    ));
                    continue;
                }
                let work =
                    if operation == Operation::Read { Timed::Read(stream) } else { Timed::Absorb(stream) };
                let row = Row { kernel, ..Hash::of(algorithm).row(Group::Single, operation, provider) };
                self.push(plan, row, Clock::Thread, work);
            }
        }
        Ok(())
    }

    /// Adds XXH3, a checksum that is not a cryptographic hash, to show how fast bytes can be read.
    fn ceiling(&mut self, plan: &Plan, peers: &Peers) {
        let hash = Hash { name: ceiling::ALGORITHM, title: ceiling::TITLE, output: ceiling::OUTPUT };
        for mut contender in peers.contenders(Task { algorithm: hash.name, kind: Kind::Digest }) {
            if !xxhash::is_right(&mut contender) {
                self.complain(format!(
                    "the {} digest of {} is wrong; it was not timed",
                    hash.title,
                    contender.name()
                ));
            } else if plan.wants_ceiling() {
                self.enter(plan, &hash, Group::Single, 1, [contender]);
            }
        }
    }

    fn complain(&mut self, line: String) {
        if !self.complaints.contains(&line) {
            self.complaints.push(line);
        }
    }
}

/// The index of the first message whose digest is wrong.
fn first_wrong(work: &mut Work<'_>, messages: &[&[u8]], expected: &[u8]) -> Option<usize> {
    match work {
        Work::Here(digests) => {
            let mut out = vec![0; expected.len()];
            digests(messages, &mut out);
            let each = expected.len() / messages.len();
            out.chunks(each).zip(expected.chunks(each)).position(|(got, right)| got != right)
        }
        // The other process only has its own copy of the first message.
        Work::Elsewhere(elsewhere) => (elsewhere.digest != expected).then_some(0),
    }
}

/// The facts about an algorithm that its rows contain.
struct Hash {
    name: &'static str,
    title: &'static str,
    output: usize,
}

impl Hash {
    fn of(algorithm: &'static Algorithm) -> Self {
        let Algorithm { name, title, output, .. } = *algorithm;
        Self { name, title, output }
    }

    /// A row for one message on one thread.
    fn row(&self, group: Group, operation: Operation, provider: String) -> Row {
        Row {
            group,
            contest: None,
            algorithm: self.name.into(),
            title: self.title.into(),
            status: Some(Standing::of(self.name).word().into()),
            provider,
            variant: None,
            kernel: None,
            operation,
            messages: 1,
            threads: 1,
            cells: Vec::new(),
        }
    }
}

/// The messages on which all contenders are compared before they are timed.
struct Checks(Vec<u8>);

impl Checks {
    /// The lengths: empty, around the ends of blocks and rates, several blocks, and several leaves of every tree hash.
    const LENGTHS: [usize; 12] = [0, 1, 55, 56, 64, 128, 135, 136, 168, 1000, 8193, 70_000];

    fn new() -> Self {
        Self(random_bytes(70_000))
    }

    fn messages(&self) -> [&[u8]; 12] {
        Self::LENGTHS.map(|len| &self.0[..len])
    }

    /// The correct digests, concatenated.
    fn expected(&self, task: Task) -> Result<Vec<u8>, hashwell::Error> {
        ours::expected(task, &self.messages())
    }

    /// The stream's output for each message, read in pieces.
    fn output(&self, stream: &mut dyn Stream) -> Vec<u8> {
        let mut out = Vec::new();
        for message in self.messages() {
            stream.absorb(message);
            for len in [1, 31, 168, 300] {
                let from = out.len();
                out.resize(from + len, 0);
                stream.read(&mut out[from..]);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(algorithm: &str, kind: Kind, against: Against) -> Contest {
        Contest {
            name: "contest".into(),
            algorithm: algorithm.into(),
            kind,
            bytes: 100,
            messages: 3,
            against,
        }
    }

    fn found(contests: Vec<Contest>) -> Result<Entrants, String> {
        Entrants::find(&Plan { tables: Vec::new(), contests, ..Plan::default() }, false)
    }

    #[test]
    fn a_contest_has_hashwell_first_whatever_the_work() {
        for kind in [Kind::Digest, Kind::Many, Kind::Hmac, Kind::HmacMany, Kind::Drbg] {
            let Entrants { mut list, complaints, .. } =
                found(vec![contest("sha256", kind, Against::Ourselves("sha512".into()))]).unwrap();
            assert_eq!(complaints, [""; 0]);
            let rows: Vec<(&str, &str)> =
                list.iter().map(|e| (&*e.row.algorithm, &*e.row.provider)).collect();
            assert_eq!(rows, [("sha256", ours::NAME), ("sha512", ours::NAME)]);
            // The messages are different, so the input must be long enough for all of them.
            assert!(list.iter().all(|entrant| entrant.input() == 300 && entrant.sizes == [100]));
            let input = random_bytes(300);
            list.iter_mut().for_each(|entrant| drop(entrant.candidate(&input, 100)));
        }
        let unknown = contest("sha257", Kind::Digest, Against::Peers);
        assert!(found(vec![unknown]).is_err_and(|why| why.starts_with("contest: ")));
    }

    #[test]
    fn a_wrong_contender_is_seen() {
        let expected = |message: &[u8]| hashwell::find("sha256").unwrap().digest(message);
        let messages: [&[u8]; 2] = [b"abc", b"def"];
        let both = messages.map(expected).concat();
        let mut wrong = Contender::one_by_one("wrong", |_, out| out.copy_from_slice(&both[..32]));
        assert_eq!(first_wrong(&mut wrong.work, &messages, &both), Some(1));
        let work = |digest| Work::Elsewhere(Elsewhere { digest, nanoseconds: Box::new(Ok) });
        assert_eq!(first_wrong(&mut work(vec![1; 32]), &messages[..1], &both[..32]), Some(0));
        assert_eq!(first_wrong(&mut work(both[..32].to_vec()), &messages[..1], &both[..32]), None);
    }
}
