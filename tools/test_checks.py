"""Tests of the source checks: they find planted errors, and report nothing if there are none."""

import contextlib
import hashlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest
from collections.abc import Iterable
from pathlib import Path
from unittest import mock

# First on the path, because other packages also have modules with these names.
for folder in ("site", "bench"):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / folder))

import bench_tables
import build
import check_flake
import check_layers
import check_lists
import check_names
import check_proofs
import check_prose
import check_readme
import coverage
import growth
import long_parts
import reference
import sample
import sat_rounds
import skipped
from check_unsafe import faults, has_unsafe
from rust_source import leaves
from scan_kernels import scan_functions, split

TABLE = "| place | why |\n|---|---|\n| `a/{b,c}.rs`, `d/*.rs` | kernels |\n| `e/`: all of it | bindings |\n"
SOURCES = {
    "a/b.rs": "fn f() { unsafe { g() } }",
    "a/c.rs": "unsafe impl Send for T {}",
    "d/x.rs": "pub(crate) unsafe fn f() {}",
    "e/deep/y.rs": '#[unsafe(no_mangle)] pub extern "C" fn f() {}',
    "f/z.rs": "// unsafe { in a comment }\nconst POLICY: &str = \"unsafe {\"; type F = unsafe fn(u8); /* unsafe { */",
}


class Unsafe(unittest.TestCase):
    def test_a_table_that_is_right(self) -> None:
        self.assertEqual(faults(TABLE, SOURCES), [])

    def test_a_file_that_no_row_names(self) -> None:
        planted = SOURCES | {"f/new.rs": "fn f() { unsafe{ g() } }"}
        self.assertEqual(len(faults(TABLE, planted)), 1)
        self.assertIn("f/new.rs", faults(TABLE, planted)[0])

    def test_a_file_in_two_rows(self) -> None:
        (fault,) = faults(TABLE + "| `a/b.rs` | again |\n", SOURCES)
        self.assertIn("is in 2 rows", fault)

    def test_a_row_without_a_file(self) -> None:
        (fault,) = faults(TABLE, SOURCES | {"a/c.rs": "fn f() {}"})
        self.assertIn("a/c.rs", fault)

    def test_quotes_that_could_hide_code(self) -> None:
        for hidden in ("'\"'; unsafe { f() } '\"'", 'r#" " "#; unsafe { f() }', "f::<'a>(); unsafe { g::<'a>() }"):
            self.assertTrue(has_unsafe(hidden), hidden)
        for clean in ('r#" "unsafe { " "#', "'\\''; \"unsafe { \"", '"\\"unsafe { "'):
            self.assertFalse(has_unsafe(clean), clean)


class Parts(unittest.TestCase):
    def test_a_part_whose_tools_are_missing_is_skipped_and_says_why(self) -> None:
        part = Path(__file__).with_name("part")
        names = re.findall(r"^        ([a-z_-]+)\) .*echo", part.read_text(), re.MULTILINE)
        self.assertGreater(len(names), 15)
        with tempfile.TemporaryDirectory() as folder:
            for tool in ("dirname", "sed", "sh"):
                Path(folder, tool).symlink_to(shutil.which(tool))
            for name in names:
                done = subprocess.run(
                    [str(part), name], env={"PATH": folder, "MAKE": "false"}, capture_output=True, text=True
                )
                self.assertEqual(done.returncode, 0, f"{name} is begun: {done.stderr}")
                self.assertRegex(done.stdout, rf"\ASKIPPED: make {name} \(.+\)\n\Z")

    def test_no_part_begins_after_the_given_time(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            skipped = Path(folder) / "skipped"
            for until, expected in [("1", "NOT RUN: make help"), (str(1 << 40), "make help: ")]:
                environment = {**os.environ, "HASHWELL_BEGIN_UNTIL": until, "HASHWELL_SKIPPED": str(skipped)}
                said = subprocess.run(
                    [Path(__file__).with_name("part"), "help"], env=environment, check=True, capture_output=True, text=True
                ).stdout
                self.assertIn(expected, said)
            self.assertEqual(skipped.read_text(encoding="utf-8"), "make help (no time was left)\n")


LAYERS = [["ground"], ["families"], ["surface", "registry"]]
CRATE = {
    "lib.rs": "mod ground; mod families; mod surface; pub use surface::hash::Hasher;",
    "ground/mod.rs": "pub(crate) mod error; pub(crate) mod kernel; pub(crate) use error::Error;",
    "ground/error.rs": "// use crate::surface::hash;\npub enum Error {} const WHY: &str = \"crate::surface::hash\";",
    "ground/kernel.rs": "use super::Error; #[cfg(test)] mod tests { use crate::surface::hash; }",
    "families/mod.rs": "use crate::ground::{error::{self, Error as E}, kernel};",
    "surface/mod.rs": "pub(crate) mod hash;",
    "surface/hash.rs": "use crate::families; fn f() -> crate::registry::Row { todo!() }",
    "registry.rs": "use crate::families;",
}


class Layers(unittest.TestCase):
    def found(self, **changed: str) -> list[str]:
        crate = CRATE | {name.replace("__", "/") + ".rs": source for name, source in changed.items()}
        return check_layers.violations("example", LAYERS, check_layers.Crate(crate))

    def test_a_crate_that_is_right(self) -> None:
        self.assertEqual(self.found(), [])

    def test_imports_from_a_higher_layer(self) -> None:
        for source in (
            "use crate::surface::hash::Hasher;",
            "use crate::{ground, surface::hash};",
            "fn f() { crate::surface::hash::new() }",
            "use crate::Hasher;",
            "use super::super::surface;",
            "pub(crate) use crate::registry::Row;",
        ):
            found = self.found(ground__kernel=source)
            up = [fault for fault in found if "ground/kernel.rs uses" in fault]
            self.assertEqual(len(up), 1, source)

    def test_a_cycle_in_one_layer(self) -> None:
        found = self.found(ground__error="use super::kernel::Table;")
        self.assertEqual(found, ["example: an import cycle of 2 files: ground/error.rs, ground/kernel.rs"])

    def test_a_file_in_no_layer_and_a_layer_without_a_file(self) -> None:
        self.assertIn("extra.rs is in no layer", self.found(extra="")[0])
        found = check_layers.violations("example", [*LAYERS, ["missing"]], check_layers.Crate(CRATE))
        self.assertIn("a layer for missing", found[0])

    def test_what_the_root_defines(self) -> None:
        root = CRATE["lib.rs"] + " pub use other::Thing; const SUCCESS: u8 = 0;"
        found = self.found(lib=root, ground__kernel="use crate::SUCCESS; use crate::Thing; use super::Error;")
        self.assertEqual(found, ["example: ground/kernel.rs uses SUCCESS, which the crate's root defines"])

    def test_the_layers_of_every_crate(self) -> None:
        """Every crate is in the table; an import from its lowest layer to its highest is found."""
        layers = check_layers.table((check_layers.ROOT / "dev" / "architecture.md").read_text(encoding="utf-8"))
        self.assertEqual({path.name for path in (check_layers.ROOT / "crates").iterdir()}, set(layers))
        for name, rows in layers.items():
            sources = check_layers.sources_of(check_layers.ROOT / "crates" / name / "src")
            self.assertEqual(check_layers.violations(name, rows, check_layers.Crate(sources)), [])
            low, high = rows[0][0].replace("::", "/"), rows[-1][0]
            low = next(path for path in sorted(sources) if path.startswith((f"{low}.rs", f"{low}/")))
            planted = {**sources, low: f"use crate::{high};\n" + sources[low]}
            found = check_layers.violations(name, rows, check_layers.Crate(planted))
            self.assertIn(f"{name}: {low} uses", "\n".join(found), name)

    def test_use_trees(self) -> None:
        tree = "a::{self, b::{C, D as E}, f::*}"
        self.assertEqual(
            list(leaves(tree)),
            [(["a"], "a"), (["a", "b", "C"], "C"), (["a", "b", "D"], "E"), (["a", "f", "*"], "*")],
        )


REGISTRY = """
pub static ALGORITHMS: &[Algorithm] = &[
    Algorithm { status: Status::Broken, ..fixed(1, "one", "One", &[], 64, 20, "source", Family::Small(&first::ONE)) },
    fixed(2, "two", "Two", &["2"], 64, 32, "source", Family::Large(&first::TWO)),
    xof(3, "three", "Three", &[], 64, 32, "source", Family::Large(
        &first::THREE)),
    fixed(4, "four", "Four", &[], 64, 32, "source", Family::Large(second::plain(&second::FOUR))),
];"""


class Lists(unittest.TestCase):
    def test_rows_of_one_table_are_one(self) -> None:
        self.assertEqual(check_lists.kernels(REGISTRY, "KERNELS := one \\\n    three four\n"), [])

    def test_kernels_that_nobody_shows_and_rows_that_are_none(self) -> None:
        found = check_lists.kernels(REGISTRY, "KERNELS := one two five\n")
        self.assertEqual(len(found), 2)
        self.assertIn("five", found[0])
        self.assertIn("four", found[1])

    def test_a_row_without_speed(self) -> None:
        table = "| one              | soft           |    16.07 |\n"
        self.assertEqual(check_lists.measured("KERNELS := one two\n", table), ["dev/evidence/kernels.md has no row for two"])

    def test_a_feature_that_reports_do_not_name(self) -> None:
        asked = 'cpufeatures::new!(a, "sse2", "avx2"); cpufeatures::new!(b,\n "vaes");'
        self.assertEqual(len(check_lists.features(asked, '"vaes"; fn features() { ["avx2"] }')), 1)

    def test_a_kernel_without_a_budget(self) -> None:
        head = f"//! One.\n//!\n{check_lists.BUDGET}\n#![allow(unsafe_code)]\n"
        bare = f"//! Two.\n#![allow(unsafe_code)]\n{check_lists.BUDGET}\n"
        sources = {"kernels": "x86_one::compress x86_two::compress wasm32_three::f other::g", "x86_one": head}
        sources |= {"x86_two": bare, "wasm32_three": f"{check_lists.NO_BUDGET}here.\n", "x86_helper": bare, "other": bare}
        found = check_lists.budgets({"family": sources})
        self.assertEqual(found, ["families/family/x86_two.rs has no budget, bound and cycles at its head"])

    def test_promises_that_are_not_kept(self) -> None:
        readme, workspace = "the C library: 2 functions\n", '[workspace.package]\nversion = "1.2.3"\n'
        symbols, wheel = "hw_one\nhw_two\n", 'cli = ["hashwell-cli==1.2.3"]\n'
        self.assertEqual(check_lists.promises(readme + 109 * "line\n", symbols, workspace, wheel), [])
        for planted, word in (
            ((readme + 110 * "line\n", symbols, workspace, wheel), "README.md has 111 lines"),
            ((readme, "hw_one\n", workspace, wheel), "has 1 functions"),
            ((readme, symbols, workspace, wheel.replace("3", "4")), "is not hashwell-cli==1.2.3"),
        ):
            (fault,) = check_lists.promises(*planted)
            self.assertIn(word, fault)

    def test_threads_that_start_outside_their_crate(self) -> None:
        allowed = {f"{folder}a.rs": "fn f() { std::thread::spawn(g); }" for folder in check_lists.STARTS_THREADS}
        right = {
            "crates/x/src/a.rs": "use std::thread::{self, ThreadId}; fn f() { thread::sleep(thread::current()) } // thread::spawn",
            "crates/x/src/b.rs": "use hashwell_work::{scope, spawn}; fn f() { scope(spawn) }\n"
            "#[cfg(test)]\nmod tests { fn t() { std::thread::spawn(f); } }",
        }
        self.assertEqual(check_lists.thread_starts(allowed | right), [])
        for planted, name in (
            ("fn f() { std::thread::spawn(g); }", "spawn"),
            ("use std::thread; fn f() { thread::Builder::new(); }", "Builder"),
            ("use std::{io, thread::{scope, sleep}}; fn f() { scope(g) }", "scope"),
            ("use std::thread::available_parallelism as cores;", "available_parallelism"),
        ):
            (fault,) = check_lists.thread_starts(allowed | {"crates/x/src/c.rs": planted})
            self.assertIn(f"crates/x/src/c.rs uses std::thread::{name}:", fault)
        (fault,) = check_lists.thread_starts({path: code for path, code in allowed.items() if "measure" not in path})
        self.assertIn("allows crates/hashwell-measure/src/ to start threads, but it doesn't", fault)

    def test_a_c_function_that_no_fuzz_target_calls(self) -> None:
        targets = "// hw_three, like\n    let code = unsafe { hw_one(id) };\n    generate: hw_two,\n"
        self.assertEqual(check_lists.fuzzed("hw_one\nhw_two\nhw_force_kernel\n", targets), [])
        self.assertEqual(check_lists.fuzzed("hw_one\nhw_three\n", targets), ["fuzz/fuzz_targets/c*.rs do not call hw_three"])

    def test_small_code_that_is_not_listed(self) -> None:
        small = "//! | Module | Limit (bytes) |\n//! |---|---|\n//! | `one.wasm` | 54,700 |\n"
        sources = {"internal/small.rs": small, "random/fork.rs": 'cfg!(target_family = "wasm")', "a.rs": ""}
        guide, limits = "| Module | Size | Maximum |\n|---|---:|---:|\n| `one.wasm`: hashes | 54.3 | 54.7 |\n", {"one.wasm": 54700}
        self.assertEqual(check_lists.small_code(sources, guide, limits), [])
        self.assertEqual(len(check_lists.small_code(sources, guide, {"one.wasm": 54701})), 2)
        (fault,) = check_lists.small_code(sources, guide.replace("54.7", "54.8"), limits)
        self.assertIn("javascript.md states other limits", fault)
        (fault,) = check_lists.small_code(sources | {"a.rs": sources["random/fork.rs"]}, guide, limits)
        self.assertIn("a.rs checks for WebAssembly", fault)

    def test_a_fuzz_target_that_is_not_everywhere(self) -> None:
        manifest = '[[bin]]\nname = "one"\n\n[[bin]]\nname = "two"\n'
        document = "| `what` is read | target |\n| --- | --- |\n| files | `one`, `two` |\n"
        names = {"one", "two"}
        self.assertEqual(check_lists.fuzz_targets(names, manifest, names, document), [])
        for planted, where in (
            (({"one"}, manifest, names, document), "fuzz/fuzz_targets"),
            ((names, manifest.replace("two", "three"), names | {"three"}, document), "fuzz/Cargo.toml"),
            ((names, manifest, {"one"}, document), "fuzz/corpus"),
            ((names, manifest, names, document.replace("`two`", "two")), "dev/testing.md"),
        ):
            self.assertIn(f"{where} has no two, a fuzz target", check_lists.fuzz_targets(*planted))

    def test_a_design_that_is_not_everywhere(self) -> None:
        table = """pub static METHODS: [Method; 2] = [
            Method { name: "one", weighting: None, needs: &[Part::Size], takes: &[Part::GroupBy] },
            Method {
                name: "two",
                weighting: Some("two"),
                needs: &[Part::Size, Part::Weight, Part::Weighting],
            },
        ];"""
        kinds = "pub enum Kind {\n    /// One.\n    One,\n    /// Two.\n    Two,\n}\n"
        both = "-n 5 rows: 1\n-n 5 --weight w --design two w.csv: 2\n"
        paths, cases = check_lists.DESIGN_OPTIONS, "Kind::One Kind::Two"
        places = dict.fromkeys(paths, both) | {check_lists.DESIGN_KINDS: cases}
        self.assertEqual(check_lists.designs(table, kinds, places), [])
        for path, planted, said in (
            (paths[0], "-n 5 rows: 1\n-n 5 --weight w --design one\n", f"{paths[0]} has no two"),
            (paths[1], both.replace("-n 5 rows", "-n 5 --group-by w rows"), f"{paths[1]} has no one"),
            (check_lists.DESIGN_KINDS, "Kind::One Kind::TwoMore", f"{check_lists.DESIGN_KINDS} has no case for Kind::Two"),
        ):
            self.assertEqual(check_lists.designs(table, kinds, places | {path: planted}), [said])

    def test_a_format_that_is_not_everywhere(self) -> None:
        table = '''static FORMATS: [Row; 3] = [
            Row { name: "lines", endings: &[] }, Row { name: "one", endings: &["one", "1"] },
            Row { name: "two", endings: &["two"] }];'''
        self.assertEqual(check_lists.formats(table, {"a": "x.one x.two", "b": "--one --two"}), [])
        self.assertEqual(check_lists.formats(table, {"a": "x.one x.twofold"}), ["a has no .two"])

    def test_a_recipe_that_is_not_what_is_looked_at(self) -> None:
        line = "- `a/{}`: what (caught by: {})\n"
        text = "".join(f"\n## {title}\n\n{line.format('b', 'check_lists')}" for title in check_lists.RECIPES)
        looked_at = {title: {"a/b"} for title in check_lists.RECIPES}
        self.assertEqual(check_lists.recipes(text, looked_at, ["a/b"]), [])
        last = list(check_lists.RECIPES)[-1]
        for more, said in (
            (line.format("c", "check_lists"), "no check looks at a/c"),
            (line.format("d", "compiler"), "a/d does not exist"),
            ("".join(line.format(f"<{i}>", "compiler") for i in range(20)), "21 places, expected 1 to 20"),
            ("".join(line.format(f"<{i}>", "nothing") for i in range(3)), "no check for a/<0>, a/<1>, a/<2>"),
        ):
            found = check_lists.recipes(text + more, looked_at, ["a/b", "a/c"])
            self.assertEqual([fault for fault in found if said in fault and last in fault], found)
            self.assertEqual(len(found), 1)
        self.assertEqual(len(check_lists.recipes("", looked_at, [])), 6)

    def test_a_guide_to_nowhere(self) -> None:
        self.assertEqual(len(check_lists.guides("see `tools/a.py`, not `tools/b.py`", ["tools/a.py"])), 1)


CELL = {"message_bytes": 32, "cycles_per_byte": 1.234, "wide": False}
KERNELS = {"kernels": [{"algorithm": "one", "kernel": "soft", "batch": False, "sizes": [CELL] * 4}]}
ROW = {"job": "One, long", "unit": "cycles/byte", "quiet": True, "hashwell": {"kernel": "soft", "median": 1.5}}
PEER = {"peers": [{"name": "a peer", "median": 2.25}], "ratio": 1.5, "verdict": "first"}
JOBS = {"peers": [{"name": "absent", "missing": "why"}, {"name": "a peer", "missing": None}], "rows": [{**ROW, **PEER}]}


class BenchTables(unittest.TestCase):
    def setUp(self) -> None:
        rows = [["one", "many", "wide", "1", "2", "3", "4"], ["one", "one", "soft", "5", "6", "7", "~8"]]
        self.saved = {"processor": "Old", "kernels": {"date": "then", "unit": "MB/s", "rows": rows}}

    def test_a_result_takes_the_place_of_its_own_kind_alone(self) -> None:
        run = bench_tables.merged({"processor": "New"}, KERNELS, "today")
        run = bench_tables.merged(run, JOBS, "tomorrow")
        self.assertEqual((run["kernels"]["date"], run["jobs"]["date"]), ("today", "tomorrow"))
        self.assertEqual(run["kernels"]["rows"], [["one", "one", "soft", *["1.23"] * 4]])
        self.assertEqual(run["jobs"]["without"], ["absent"])
        text = bench_tables.written(run)
        self.assertEqual(json.loads(text), run)
        self.assertIn('\n      ["one", "one", "soft", "1.23", "1.23", "1.23", "1.23"]\n', text)

    def test_processors_stand_side_by_side_under_their_letters(self) -> None:
        new = bench_tables.merged(bench_tables.merged({"processor": "New"}, KERNELS, "now"), JOBS, "now")
        table = bench_tables.kernel_table([self.saved, new])
        self.assertIn("- **A** Old, then: MB/s\n- **B** New, now: cycles/byte\n", table)
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[-2:]]
        self.assertEqual(lines[0], ["one", "soft", "5", "6", "7", "~8", *["1.23"] * 4], "chain kernels first")
        self.assertEqual(lines[1], ["one", "wide", "1", "2", "3", "4", *[""] * 4])
        table = bench_tables.job_table([self.saved, new])
        self.assertIn("- **B** New, now; without the libraries absent\n\n**B: behind in 0 of 1 jobs, tied in 0, first", table)
        row = "| One, long | c/B  | soft     |      1.500 | a peer       |   2.250 |   1.500 | first     |"
        self.assertIn(row, table)


def growing(law, *, sorts: bool = False, start: float = 0.0, peak=lambda n: 1 << 20) -> growth.Row:
    """An operation whose CPU time and peak memory grow with given exponents."""
    figures = [growth.Figures(n, law(n), int(peak(n))) for n in (10**4, 10**5, 10**6)]
    return growth.Row("made", "up", "rows", sorts, figures, start)


class Growth(unittest.TestCase):
    def test_the_exponent_of_a_law(self) -> None:
        for power in (1.0, 1.5, 2.0):
            self.assertAlmostEqual(growing(lambda n, p=power: 1e-5 * n**p).exponent, power)
        sort = growing(lambda n: 1e-5 * n * growth.math.log(n), sorts=True)
        self.assertAlmostEqual(sort.exponent, 1.0)
        self.assertFalse(sort.faster)
        self.assertTrue(growing(lambda n: 1e-7 * n**1.2).faster)

    def test_sizes_at_which_the_fixed_cost_decides_are_left_out(self) -> None:
        row = growing(lambda n: 0.002 + 1e-13 * n**2, start=0.002)
        self.assertIsNone(row.exponent, "only the largest size takes much longer than the start")
        row = growing(lambda n: 0.002 + 1e-11 * n**2, start=0.002)
        self.assertAlmostEqual(row.exponent, 2.0, delta=0.02)

    def test_a_planted_quadratic_is_found(self) -> None:
        code = "import sys; n = int(sys.argv[1])\nfor _ in range(n): sum(range(n))\nprint(n)"
        planted = growth.Operation("made", "quadratic", "n", 0, lambda b, n: [sys.executable, "-I", "-S", "-c", code, str(n)], growth.lines_of(1))
        with tempfile.TemporaryDirectory() as folder:
            bench = growth.Bench("", Path(folder))
            # The start of Python is a small part of these times, so that it isn't measured: with other work on the machine,
            # it can seem so long that no size is left.
            figures = [growth.measure(bench, planted, n, 0.0, 4) for n in (3000, 6000, 12_000)]
            wrong = growth.Operation("made", "wrong", "n", 0, planted.command, growth.lines_of(2))
            with self.assertRaisesRegex(ValueError, "the result for 10 n is wrong"):
                growth.measure(bench, wrong, 10, 0.0, 1)
        row = growth.Row("made", "quadratic", "n", False, figures, 0.0)
        self.assertAlmostEqual(row.exponent, 2.0, delta=0.3)
        self.assertEqual(growth.verdict([row, growing(lambda n: 1e-5 * n)]), "1 of 2 operations have an exponent above 1.1")

    def test_extrapolated_figures_are_marked(self) -> None:
        row = growing(lambda n: 1e-6 * n, peak=lambda n: 100 * n)
        measured, guess = growth.projected(row, 10**5)
        self.assertAlmostEqual(measured, 0.1)
        self.assertFalse(guess)
        time_of, guess = growth.projected(row, 10**9)
        self.assertAlmostEqual(time_of, 1000.0)
        self.assertTrue(guess)
        self.assertAlmostEqual(growth.rows_in_memory(row) / (growth.MEMORY / 100), 1.0, places=3)
        self.assertIsNone(growth.rows_in_memory(growing(lambda n: 1e-6 * n)))
        self.assertEqual([growth.duration(s) for s in (0.0123, 1.5, 119, 300, 7300)], ["12 ms", "1.5 s", "120 s", "5 min", "2 h"])

    def test_the_tables_of_the_documents_are_those_of_the_records(self) -> None:
        text = (check_names.ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
        record = json.loads(growth.RECORD.read_text(encoding="utf-8"))
        self.assertEqual(json.loads(growth.written(record)), record)
        self.assertEqual(growth.document(text, record), text)
        record["measured"][0]["figures"][2][1] *= 2
        self.assertNotEqual(growth.document(text, record), text)


class Sample(unittest.TestCase):
    def job(self, *times: float, imports: float = 0.0) -> sample.Job:
        tools = [sample.Tool(name, None, cpu=time) for name, time in zip(("hashwell", "peer", "library"), times, strict=False)]
        if imports:
            tools[-1].imports = "library"
            tools.append(sample.Tool(sample.importing("library"), None, cpu=imports, compared=False))
        return sample.Job("a job", tools, None)

    def test_verdicts(self) -> None:
        jobs = [self.job(1.0, 2.0), self.job(1.0, 0.5), self.job(1.0, 1.01), self.job(1.0, 3.0, 1.5, imports=0.6), self.job(1.0)]
        self.assertEqual([job.verdict() and job.verdict()[0] for job in jobs], ["first", "behind", "tied", "behind", None])
        self.assertEqual(sample.verdict_line(jobs), "behind in 2 of 4 jobs, tied in 1, first in 1")

    def test_absent_and_wrong_tools_are_named(self) -> None:
        job = self.job(1.0, 2.0)
        job.tools += [sample.Tool("gone", None), sample.Tool("liar", None, note="wrong: 3 rows")]
        self.assertEqual(sample.missing([job]), ["absent: gone", "a job: liar wrong: 3 rows"])
        again = sample.from_record(json.loads(sample.written({"rows": 1, "measured": [sample.recorded(job)]})))
        self.assertEqual(sample.shown(again[0]), sample.shown(job))

    def test_the_tables_of_the_documents_are_those_of_the_records(self) -> None:
        text = (check_names.ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
        record = json.loads(sample.RECORD.read_text(encoding="utf-8"))
        self.assertEqual(sample.replaced(text, "sample", sample.document(record)), text)
        record["measured"][0]["tools"][0][1] *= 2
        self.assertNotEqual(sample.replaced(text, "sample", sample.document(record)), text)


SAT_PAGE = check_names.ROOT / "docs" / "rounds.md"


def python_with_solver() -> str | None:
    """The interpreter that `make sat-tools` installs, or this one if it has the solver."""
    installed = check_names.ROOT / ".tools" / "sat" / "bin" / "python"
    if installed.exists():
        return str(installed)
    return sys.executable if importlib.util.find_spec("pysat") else None


def propagated(clauses: list[list[int]]) -> set[int]:
    """The literals that unit propagation makes true. Raises ValueError if a clause is false.

    Each gate comes after the gates that it uses, so one pass over the clauses is enough to compute a digest.
    """
    true: set[int] = set()
    for clause in clauses:
        if not any(literal in true for literal in clause):
            left = [literal for literal in clause if -literal not in true]
            if not left:
                raise ValueError(f"{clause} is false")
            if len(left) == 1:
                true.add(left[0])
    return true


class SatRounds(unittest.TestCase):
    def digest(self, words: Iterable[int], rounds: int) -> bytes:
        """The digest that unit propagation computes from a block of 16 words."""
        cnf = sat_rounds.Cnf()
        digest = cnf.compress([sat_rounds.constant(word) for word in words], rounds)
        true = propagated(cnf.clauses)
        for word in digest:
            for literal in word:
                self.assertNotEqual(literal in true, -literal in true, "a bit of the digest isn't determined")
        values = [sum((literal in true) << i for i, literal in enumerate(word)) for word in digest]
        return b"".join(value.to_bytes(4, "big") for value in values)

    def test_unit_propagation_computes_digests(self) -> None:
        for rounds in (1, 16, 20, 64, 66):
            words = sat_rounds.instance("all", 0, 0, rounds, seed=1).words
            block = b"".join(word.to_bytes(4, "big") for word in words)
            expected = sat_rounds.compress(sat_rounds.SHA256, sat_rounds.H0_SHA256, block, rounds)
            self.assertEqual(self.digest(words, rounds), b"".join(word.to_bytes(4, "big") for word in expected))

    def test_the_padded_block_of_a_message_has_the_digest_of_hashlib(self) -> None:
        block = b"abc\x80" + bytes(59) + bytes([24])
        words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)]
        self.assertEqual(self.digest(words, 64), hashlib.sha256(b"abc").digest())

    def test_instances_hide_bits_and_accept_only_the_digest(self) -> None:
        for placement, unknown, bits, rounds in [("all", 40, 256, 4), ("last", 8, 10, 20), ("last", 32, 256, 8)]:
            task = sat_rounds.instance(placement, unknown, bits, rounds, seed=2)
            used = min(rounds, 16)
            self.assertEqual(len(set(task.hidden)), unknown)
            self.assertLess(max(word for word, _ in task.hidden), used)
            if placement == "last":
                self.assertEqual(task.hidden, [(used - 1, bit) for bit in range(unknown)])
            right = [
                [variable if task.words[word] >> bit & 1 else -variable]
                for (word, bit), variable in zip(task.hidden, task.variables, strict=True)
            ]
            true = propagated(right + task.cnf.clauses)
            task.verify(true)
            # The last clauses are the digest's bits. With one of them negated, the right values of the bits are refuted.
            for changed in range(1, bits + 1, 9):
                clauses = task.cnf.clauses[:-changed] + [[-task.cnf.clauses[-changed][0]]]
                with self.assertRaises(ValueError):
                    propagated(right + clauses)
            if bits == 256:
                with self.assertRaises(ValueError):
                    task.verify(true ^ {task.variables[0]})
                with self.assertRaises(ValueError):
                    propagated([[-right[0][0]], *right[1:], *task.cnf.clauses])

    def test_the_faster_method(self) -> None:
        def point(*seconds: float) -> sat_rounds.Point:
            runs = [sat_rounds.Run(time < 10, time, 5, 7) for time in seconds]
            return sat_rounds.Point("all", 16, 256, 20, runs)

        for times, search, expected in [
            ((1, 2, 30), 5, "solver"),
            ((1, 2, 30), 3, "similar"),
            ((1, 2, 30), 0.5, "search"),
            ((1, 30, 30), 0.5, "search"),
            ((1, 30, 30), 50, "not known"),
        ]:
            self.assertEqual(point(*times).faster(search, limit=10), expected, (times, search))
        row = sat_rounds.shown(point(1, 2, 30), {"limit": 10, "rate": 1 << 20})
        self.assertEqual(row, "| 16 | all | 256 | 20 | 2 of 3 | 2.0 | 1.0 to > 10 | 5 | 7 | 0.0098 | search |\n")

    def test_the_table_of_the_document_is_that_of_the_record(self) -> None:
        text = SAT_PAGE.read_text(encoding="utf-8")
        record = json.loads(sat_rounds.RECORD.read_text(encoding="utf-8"))
        self.assertEqual(json.loads(sat_rounds.written(record)), record)
        self.assertEqual(list(map(sat_rounds.recorded, sat_rounds.from_record(record))), record["measured"])
        self.assertEqual(sat_rounds.replaced(text, "sat-rounds", sat_rounds.document(record)), text)
        record["measured"][0][4][0][0] = False
        changed = sat_rounds.replaced(text, "sat-rounds", sat_rounds.document(record))
        self.assertNotEqual(changed, text)
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder, "page.md")
            for content, code in [(text, 0), (changed, 1)]:
                place.write_text(content, encoding="utf-8")
                done = subprocess.run([sys.executable, sat_rounds.__file__, "--check", place], stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, code, done.stderr)

    def test_only_a_record_with_the_same_settings_is_resumed(self) -> None:
        record = json.loads(sat_rounds.RECORD.read_text(encoding="utf-8"))
        new = record | {"load": record["load"] + 1, "rate": record["rate"] - 1, "date": "2030-01-01", "measured": []}
        both = sat_rounds.resumed(record, new)
        self.assertEqual(both, record | {"load": record["load"] + 1, "date": "2030-01-01"})
        for name in ("processor", "limit", "instances"):
            with self.assertRaisesRegex(SystemExit, name):
                sat_rounds.resumed(record, new | {name: "different"})

    def test_a_missing_solver_is_an_error_that_names_the_package(self) -> None:
        with (
            mock.patch.object(sys, "argv", ["sat_rounds.py"]),
            mock.patch.object(sat_rounds.importlib.util, "find_spec", return_value=None),
            contextlib.redirect_stderr(io.StringIO()) as said,
            self.assertRaises(SystemExit) as raised,
        ):
            sat_rounds.main()
        self.assertEqual(raised.exception.code, 2)
        self.assertIn("pip install python-sat", said.getvalue())

    @unittest.skipUnless(python_with_solver(), "python-sat is not installed: make sat-tools")
    def test_the_solver_finds_hidden_bits(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "record.json")
            options = ["--rounds", "8,17", "--unknown", "12", "--instances", "2", "--record", path]
            subprocess.run([python_with_solver(), sat_rounds.__file__, *options], check=True, stdout=subprocess.DEVNULL)
            points = sat_rounds.from_record(json.loads(path.read_text(encoding="utf-8")))
        self.assertEqual([point.rounds for point in points], [8, 17])
        for point in points:
            self.assertEqual([run.solved for run in point.runs], [True, True])
            self.assertGreater(min(run.propagations for run in point.runs), 0)


def code(start: int, text: str) -> list[tuple[int, str, list[str], str]]:
    """Formats one instruction per line, with four bytes each and with the comments of objdump. END is the address of
    the last one."""
    lines = text.strip().splitlines()
    text = text.replace("END", f"{start + 4 * (len(lines) - 1):x} <end>")
    rows = [line.strip().partition(" # ") for line in text.strip().splitlines()]
    parts = [(*row.partition(" "), comment) for row, _, comment in rows]
    return [(start + 4 * i, mnemonic, split(rest), comment) for i, (mnemonic, _, rest, comment) in enumerate(parts)]


class Leaks(unittest.TestCase):
    """The findings of the machine-code scan for kernels that call others."""

    ROUNDS = "2000 <hashwell::families::sha2::x86_a::rounds>"
    LANES = "3000 <hashwell::families::sha2::x86_a::compress_16>"
    OTHER = "4000 <somewhere::else>"
    # Through the global offset table, which contains `rounds`.
    BY_TABLE = "call QWORD PTR [rip+0x10] # 5000 <slots>"
    # Pointers are spilled below and above the borrowed memory.
    LENT = f"""
        sub rsp,0x100
        mov QWORD PTR [rsp+0x8],rdi
        mov QWORD PTR [rsp+0xf0],rdi
        lea rdx,[rsp+0x10]
        call {ROUNDS}
        """

    def found(self, text: str, rounds: str = "ret", again: str = "ret") -> list[str]:
        """The kinds of findings in a kernel with this code, which may call others. There are two instances of
        `rounds`."""
        kernel = "hashwell::families::sha2::x86_a::"
        functions = {
            0x1000: (kernel + "outer", code(0x1000, text + "\nret")),
            0x2000: (kernel + "rounds", code(0x2000, rounds)),
            0x2800: (kernel + "rounds", code(0x2800, again)),
            0x3000: (kernel + "compress_16", code(0x3000, "ret")),
            0x4000: ("somewhere::else", code(0x4000, "ret")),
        }
        ((_, found), *called) = scan_functions(functions, {0x5000: kernel + "rounds", 0x5008: "somewhere::else"})
        self.assertEqual([findings for _, findings in called], [{}, {}, {}])
        return [kind for kind, _ in found.values()]

    def test_instructions_that_objdump_does_not_know(self) -> None:
        unknown = [(0x1000, "(bad)", [], "")]
        for module, found in (("x86_sha512", None), ("x86_avx2", ["instruction that objdump does not know"])):
            name = f"hashwell::families::sha2::{module}::compress"
            ((_, said),) = scan_functions({0x1000: (name, unknown)}, {})
            self.assertEqual(said if said is None else [kind for kind, _ in said.values()], found)

    def test_leaks_without_calls(self) -> None:
        self.assertEqual(self.found("mov eax,DWORD PTR [rdi]\ntest eax,eax\nje END"), ["jump"])
        self.assertEqual(self.found("mov eax,DWORD PTR [rdi]\nmov eax,DWORD PTR [rsi+rax*4]"), ["address"])
        self.assertEqual(self.found("test rdi,rdi\nje END"), [])

    def test_a_kernel_that_lends_memory_to_another(self) -> None:
        self.assertEqual(self.found(self.LENT + "mov rdi,QWORD PTR [rsp+0x8]\nmov eax,DWORD PTR [rdi]"), [])

    def test_what_comes_back_is_secret(self) -> None:
        for leak, kind in (
            ("mov rax,QWORD PTR [rsp+0x20]\nmov eax,DWORD PTR [rax]", "address"),
            ("mov rax,QWORD PTR [rsp+0xf0]\nmov eax,DWORD PTR [rax]", "address"),
            ("cmp DWORD PTR [rsp+0x40],0x1\nje END", "jump"),
            # From below the borrowed memory into it.
            ("vmovdqu ymm0,YMMWORD PTR [rsp]\nvmovd ecx,xmm0\ntest ecx,ecx\nje END", "jump"),
            ("test eax,eax\nje END", "jump"),
            ("je END", "jump"),
            ("vmovd ecx,xmm7\ntest ecx,ecx\nje END", "jump"),
            ("mov eax,DWORD PTR [rdi+rdx*4]", "address"),
        ):
            self.assertEqual(self.found(self.LENT + leak), [kind], leak)

    def test_secrets_that_are_given(self) -> None:
        for way in ("call", "jmp"):
            for leak in (
                "test rdx,rdx\nje END\nret",
                "mov eax,DWORD PTR [rdi+rdx*1]\nret",
                "mov r9,rdx\nmov eax,DWORD PTR [r9]\nret",
            ):
                given = f"mov rdx,QWORD PTR [rsi]\n{way} {self.ROUNDS}"
                self.assertEqual(self.found(given, leak), ["secret given to a kernel as a number"], leak)
                self.assertEqual(self.found(f"{way} {self.ROUNDS}", leak), [], leak)
            # A register that the callee does not read is not an argument.
            self.assertEqual(self.found(given, "mov rdx,rdi\nmov eax,DWORD PTR [rdx]\nret"), [])
        twice = self.LENT + f"mov rdi,rbx\ncall {self.ROUNDS}"
        self.assertEqual(self.found(twice, "mov eax,DWORD PTR [rdi]\nret"), [])
        self.assertEqual(self.found(twice, "je END\nret"), ["secret given to a kernel as a number"])

    def test_leaks_behind_the_global_offset_table(self) -> None:
        given, leak = f"mov rdx,QWORD PTR [rsi]\n{self.BY_TABLE}", "test rdx,rdx\nje END\nret"
        self.assertEqual(self.found(given), [])
        # The name can stand for either instance.
        for instances in ((leak, "ret"), ("ret", leak)):
            self.assertEqual(self.found(given, *instances), ["secret given to a kernel as a number"], instances)
            self.assertEqual(self.found(self.BY_TABLE, *instances), [], instances)
        lent = f"lea rdx,[rsp-0x40]\n{self.BY_TABLE}"
        self.assertEqual(self.found(f"{lent}\ncmp DWORD PTR [rsp-0x40],0x1\nje END"), ["jump"])
        for slot in ("5008", "5010"):
            call = self.BY_TABLE.replace("5000", slot)
            self.assertEqual(self.found(call), ["call that cannot be followed"], slot)

    def test_arguments_in_memory(self) -> None:
        for argument in ("mov rax,QWORD PTR [rsp+0x8]", "sub rsp,0x20\nvmovdqu ymm0,YMMWORD PTR [rsp+0x10]"):
            self.assertEqual(self.found(f"call {self.ROUNDS}", argument + "\nret"), ["call that cannot be followed"])
        self.assertEqual(self.found(f"call {self.ROUNDS}", "push rbx\npop rbx\nret"), [])

    def test_calls_that_cannot_be_followed(self) -> None:
        for call in (
            f"call {self.OTHER}",
            "call rax",
            f"call {self.LANES}",
            f"lea rsi,[rsp+0x10]\ncall {self.LANES}",
            f"lea rdi,[rip+0x100]\ncall {self.ROUNDS}",
        ):
            self.assertEqual(self.found(call), ["call that cannot be followed"], call)
        self.assertEqual(self.found(f"jmp {self.OTHER}"), ["jump that cannot be followed"])
        # A kernel can call itself; the scan must still end.
        twice = f"mov rdx,QWORD PTR [rsi]\ncall {self.ROUNDS}"
        again = f"test rdi,rdi\nje END\ncall {self.ROUNDS}\nret"
        self.assertEqual(self.found(twice, again), ["secret given to a kernel as a number"])


class Proofs(unittest.TestCase):
    GENERIC = "pub(super) unsafe fn compress_4(\n    states: &mut [[u32; MAX]; 5],\n) {\n    \"\"\n    unsafe { soft::compress_many::<V, 4>(states) }\n}\n"

    def method(self, source: str) -> str:
        return check_proofs.method({"soft": "", "x86_new": source}, [("x86_new", "compress_4")])

    def test_generic_text_is_one_call(self) -> None:
        self.assertEqual(self.method(self.GENERIC), check_proofs.GENERIC)
        self.assertEqual(check_proofs.method({"soft": ""}, [("soft", "compress")]), check_proofs.GENERIC)

    def test_what_does_more_is_not_generic(self) -> None:
        for change in (
            ("unsafe { soft", "states[0][0] ^= 1; unsafe { soft"),
            ("(states) }", "(states); asm!(\"\") }"),
            ("(states) }", "(turned(states)) }\n    states[0][0] = 0"),
            ("soft::compress_many", "compress_many"),
            ("compress_4", "compress_5"),
            ("pub(super)", "struct V;\npub(super)"),
        ):
            self.assertEqual(self.method(self.GENERIC.replace(*change)), check_proofs.TESTS, change)

    def test_every_kernel_has_a_method(self) -> None:
        rows = check_proofs.table()
        self.assertGreater("".join(rows).count("`"), 80)
        document = (check_proofs.ROOT / "dev" / "verification.md").read_text(encoding="utf-8")
        self.assertEqual(check_proofs.faults(document, rows), [])
        self.assertEqual(len(check_proofs.faults(document.replace("`sha-ni`, ", ""), rows)), 2)

    def test_machine_code_stands_where_all_functions_are_run(self) -> None:
        run = check_proofs.proved()
        self.assertGreater(len(run), 40)
        machine = {row.split("|")[1].strip(): row.split("|")[4] for row in check_proofs.table()}
        self.assertIn("`sha-ni`", machine["sha2"])
        self.assertNotIn("armv8", "".join(machine.values()))
        # `avx512` is a kernel of SHA-256 and of SHA-512. If one of these is missing, it is not completely covered.
        without = run - {("sha2", "avx512", "x86_scheduled", "compress_512_vl")}
        self.assertLess(len(without), len(run))
        with mock.patch.object(check_proofs, "proved", lambda: without):
            rows = {row.split("|")[1].strip(): row.split("|")[4] for row in check_proofs.table()}
        self.assertNotIn("`avx512`", rows["sha2"])


class Flake(unittest.TestCase):
    FLAKE = (check_flake.ROOT / "flake.nix").read_text(encoding="utf-8")

    def test_a_dependency_that_differs_is_reported(self) -> None:
        self.assertEqual(check_flake.dependencies(self.FLAKE), [])
        for old, new in (('"random" "vector" ]', '"vector" ]'), ('[ "hashwell-sha256" "hashwell-sha512" ]', '[ "hashwell-sha256" ]'),
                         ("hashwell-sha512 = [ \"base\"", "hashwell-sha3 = [ \"base\"")):
            self.assertIn(old, self.FLAKE)
            self.assertGreater(len(check_flake.dependencies(self.FLAKE.replace(old, new))), 0, old)

    def test_the_version_is_that_of_the_workspace(self) -> None:
        workspace = tomllib.loads((check_flake.ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
        self.assertIn("version = \"" + workspace["version"] + "\";", self.FLAKE)
        self.assertIn(f"rustc {workspace['rust-version']} or later", self.FLAKE)


class Documents(unittest.TestCase):
    OPTIONS = {"sum": "  -a, --algorithm <ALG>\n  --tag, --no-progress", "diff": "--show", "": "  -h, --help"}

    def test_names_stand_in_backquotes_outside_of_blocks(self) -> None:
        text = "One `a b`\nand\n```sh\nmake `nothing`\n```\n`c\nd`\n"
        self.assertEqual(list(check_names.named(text)), [("a b", 1), ("c d", 6)])

    def test_paths(self) -> None:
        for name in ("dev/architecture.md", "README.md", "docs/*.md", "tools", "Cargo.toml", "sha512/256", "dev/architecture.md:7", "web/site/app"):
            self.assertFalse(check_names.missing_path(name), name)
        for name in ("docs/nothing.md", "NOTHING.md", "tools/check_nothing.py", "docs/*.nothing", "docs/nothing.md:7"):
            self.assertTrue(check_names.missing_path(name), name)

    def test_targets(self) -> None:
        self.assertEqual(check_names.missing_targets("make docs REPORTS=1 nothing", {"docs"}), ["nothing"])
        self.assertEqual(check_names.missing_targets("make -C hdl sim-library nothing", set()), ["nothing"])

    def test_options(self) -> None:
        for name in ("hashwell sum --tag FILE", "hashwell diff A B | head", "hashwell --help", "sum --nothing"):
            self.assertEqual(check_names.missing_options(name, self.OPTIONS), [], name)
        self.assertEqual(check_names.missing_options("hashwell nothing FILE", self.OPTIONS), ["nothing"])
        self.assertEqual(check_names.missing_options("hashwell sum --show=1 --tags", self.OPTIONS), ["--show", "--tags"])
        # Prefixes and suffixes of options do not exist, nor do a command's options if no command is named.
        for command, wrong in (("sum ", "--no"), ("sum ", "--no-progress-bar"), ("sum ", "--progress"), ("", "--tag"), ("", "--nothing")):
            self.assertEqual(check_names.missing_options(f"hashwell {command}{wrong}", self.OPTIONS), [wrong])

    def test_options_of_builds_with_more_features(self) -> None:
        optional = check_names.optional_options(check_names.option_sources())
        self.assertLessEqual({"--max-object", "--algorithm", "--html", "--json"}, optional["git"])
        # An option of a different command, and commands that every build has.
        self.assertFalse({"--transcript", "--check"} & optional["git"])
        for always in ("sum", "devices", "research", "draw", "verify", "table", "diff", "xof"):
            self.assertEqual(optional[always], set(), always)

    def test_options_after_conditions(self) -> None:
        source = '''pub(crate) enum Command {
    Sum(Later<SumOptions>),
    #[cfg(feature = "f")]
    Research(Later<ResearchOptions>),
}

pub(crate) struct SumOptions {
    #[arg(long)]
    pub(crate) tag: bool,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
}

pub(crate) struct EngineOptions {
    /// A comment, with (any) words
    #[cfg(feature = "f")]
    #[arg(long, value_name = "ID")]
    pub(crate) device: Option<String>,
    #[cfg(feature = "f")]
    #[arg(long = "mode")]
    pub(crate) by_mode: Option<String>,
    #[arg(long)]
    pub(crate) jobs: Option<u64>,
}

#[cfg(feature = "f")]
pub(crate) struct ResearchOptions {
    #[command(subcommand)]
    pub(crate) question: Question,
}

#[cfg(feature = "f")]
pub(crate) enum Question {
    Rounds(RoundsOptions),
}

#[cfg(feature = "f")]
pub(crate) struct RoundsOptions {
    #[arg(long)]
    pub(crate) avalanche_svg: bool,
}
'''
        found = check_names.optional_options(source)
        self.assertEqual(found, {"sum": {"--device", "--mode"}, "research": {"--avalanche-svg"}})

    def test_variables(self) -> None:
        self.assertLessEqual({"HASHWELL_KERNEL", "HASHWELL_SKIPPED"}, check_names.variables_read())
        # In two pieces, because otherwise this file would count as one that reads them.
        first = "HASHWELL" + "_"
        with tempfile.TemporaryDirectory() as folder:
            self.assertRaises(LookupError, check_names.variables_read, Path(folder))
            for name, word in (("doc.md", "DOC"), (".git/config", "GIT"), ("target/made.rs", "MADE"), ("src/read.rs", "READ")):
                path = Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(first + word)
            self.assertEqual(check_names.variables_read(Path(folder)), {first + "READ"})
        found = list(check_names.faults(f"{first}NOTHING", set(), {}, {first + "READ"}))
        self.assertEqual(found, [f"nothing reads {first}NOTHING"])

    def test_what_is_left_out_is_said(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            path = Path(folder) / "skipped"
            with mock.patch.dict(os.environ, {"HASHWELL_SKIPPED": str(path)}):
                skipped.skipped("a check", "no reason")
            self.assertEqual((said.getvalue(), path.read_text()), ("SKIPPED: a check (no reason)\n", "a check (no reason)\n"))

    def test_python(self) -> None:
        self.assertFalse(check_names.missing_name("json.decoder.JSONDecoder(x)", "json"))
        self.assertTrue(check_names.missing_name("json.nothing", "json"))
        self.assertTrue(check_names.missing_name("json.decoder.nothing(1)", "json"))

    def test_blocks_that_nothing_runs_have_a_reason(self) -> None:
        text = "```console\n$ ls\n```\n<!-- not run: no network -->\n```sh\ncurl\n```\n<!-- not run: -->\n```sh\ncurl\n```\n"
        self.assertEqual([block[::3] for block in check_readme.blocks(text)], [("console", False), ("sh", True), ("sh", False)])


SOURCE = """
pub fn known(x: u8) -> u8 {
    if x == 0 {
        return 1;
    }
    x
}

impl T {
    pub(crate) const fn other(&self) -> u8 {
        2
    }
}

#[cfg(test)]
mod tests {
    fn helper() {
        panic!();
    }
}
"""
COUNTS = "SF:{path}\nDA:2,5\nDA:3,5\nDA:4,0\nDA:5,0\nDA:6,5\nDA:7,5\nDA:10,0\nDA:11,0\nDA:12,0\nDA:17,0\nend_of_record\n"


class Site(unittest.TestCase):
    """Everything that the site links to is part of it, and everything in it is linked, with and without pages that
    other tools make."""

    def linked(self, *, made: bool) -> set[str]:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "index.html"
            if made:
                page.touch()
            with mock.patch.object(build, "PAGE", page):
                text = build.reports_page(made) + reference.rust_page(made and Path(folder))
        return set(re.findall(r'<a href="([^"]+)"', text))

    def test_pages_that_are_there_are_linked(self) -> None:
        expected = {"reports/speed.html", "reports/git.html", "app/index.html", "../rust/hashwell/index.html", "../rust/hashwell_draw/index.html"}
        self.assertEqual(self.linked(made=True), expected)
        self.assertEqual(self.linked(made=False), set())

    def makes(self, *words: str) -> set[str]:
        """The parts with which `make` would build a site."""
        kept = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "RUST", "REPORTS", "APP")}
        # make runs recipe lines that call $(MAKE) even with --dry-run, so a different command is used.
        run = subprocess.run(["make", "--dry-run", "MAKE=echo MADE", *words], cwd=check_names.ROOT, env=kept, capture_output=True, text=True,
                             check=True)
        line = re.search(r"site/build\.py(?:.*\\\n)*.*", run.stdout)
        web = {"app"} if re.search(r"^MADE --no-print-directory web$|^SKIPPED: the browser's page", run.stdout, re.MULTILINE) else set()
        return web | {option[2:] for option in re.findall(r"--(?:draw|reports|rust)\b", line[0])}

    def test_the_whole_site_is_made_unless_somebody_says_otherwise(self) -> None:
        for words, expected in (
            (["docs"], {"draw", "reports", "rust", "app"}),
            (["docs", "RUST="], {"draw", "reports", "app"}),
            (["docs", "RUST=", "REPORTS=", "APP="], {"draw"}),
            (["site"], set()),
            (["site", "RUST=1"], {"rust"}),
        ):
            self.assertEqual(self.makes(*words), expected, words)


class Prose(unittest.TestCase):
    def found(self, name: str, source: str) -> list[tuple[int, str]]:
        return [(line, word) for line, word, _ in check_prose.findings(name, source)]

    def test_words_in_comments_alone(self) -> None:
        rust = '/// Whether it is\n/// What follows goes on.\nfn f() { g("anew") } // made anew\n\n//! Of rows, all\n'
        self.assertEqual(self.found("a.rs", rust), [(1, "Whether"), (3, "anew"), (5, "Of")])
        python = 'def f():\n    """What it is.\n\n    Beside others.\n    """\n    return "anew"  # but for this\n'
        self.assertEqual(self.found("a.py", python), [(1 + 1, "What"), (4, "Beside"), (6, "but for")])
        script = '/**\n * Whether so.\n * What else.\n */\nconst a = "anew"; // whoever\nfetch("http://nobody")\n'
        self.assertEqual(self.found("a.ts", script), [(2, "Whether"), (5, "whoever")])
        self.assertEqual(self.found("a.hs", "-- | What it is\nf = 1 -- nobody\n-- nobody\n"), [(1, "What"), (3, "nobody")])
        self.assertEqual(self.found("a.md", "Whoever\n```\nanew\n```\n`beside` beside\n"), [(1, "Whoever"), (5, "beside")])

    def test_every_word_has_its_own_advice(self) -> None:
        for word, text in ((r"\bmend(s|ed|ing)?\b", "mended"), (r"\bgraphics cards?\b", "graphics cards")):
            (finding,) = check_prose.findings("a.md", text)
            self.assertEqual(finding[2], check_prose.WORDS[word])

    def test_no_file_has_such_words(self) -> None:
        self.assertEqual(check_prose.main([]), 0)


class LongTests(unittest.TestCase):
    def test_each_test_that_is_left_out_is_in_the_other_list(self) -> None:
        profiles = tomllib.loads((check_lists.ROOT / ".config/nextest.toml").read_text())["profile"]
        left_out, long = (re.findall(r"test\(=([\w:]+)\)", profiles[name]["default-filter"]) for name in ("default", "long"))
        self.assertTrue(long)
        self.assertEqual(left_out, long)
        sources = [path.read_text() for path in (check_lists.ROOT / "crates").rglob("*.rs")]
        for name in long:
            function = f"fn {name.rsplit('::', 1)[1]}("
            self.assertTrue(any(function in source for source in sources), f"no test is called {name}")


class LongParts(unittest.TestCase):
    PARTS = ("a", "b", "c", "d", "e", "f")

    def rotation(self, landings: int, least: int = 1) -> list[str]:
        """The parts that run in this number of landings of 7 commits each, if only `least` of them fit into the
        time."""
        ran: list[str] = []
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            now = [1e9]

            def clock() -> float:
                now[0] += 1
                return now[0]

            for landing in range(landings):
                long_parts.run_parts(
                    [*self.PARTS], 7 * landing, Path(folder) / "kept" / "record", 0, least,
                    lambda part, _: ran.append(part) or 0, clock,
                )
        return ran

    def test_each_part_runs_in_every_sixth_landing(self) -> None:
        ran = self.rotation(18)
        for first in range(0, 13):
            self.assertEqual(sorted(ran[first : first + 6]), [*self.PARTS], ran)
        self.assertEqual(sorted(self.rotation(3, least=2)), [*self.PARTS])

    def test_without_a_record_commits_decide(self) -> None:
        firsts = {long_parts.order([*self.PARTS], {}, commits)[0] for commits in range(0, 150, 50)}
        self.assertEqual(len(firsts), 3)

    def test_a_part_that_fails_is_not_recorded_and_comes_first_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            path = Path(folder) / "record"
            long_parts.save(path, {part: {"time": 10 + i, "commits": 1, "seconds": 5} for i, part in enumerate(self.PARTS)})
            status = long_parts.run_parts([*self.PARTS], 4, path, 1e9, 0, lambda part, _: 3 if part == "b" else 0)
            self.assertEqual(status, 3)
            record = long_parts.load(path)
            self.assertEqual(long_parts.order([*self.PARTS], record, 5)[0], "b")
            self.assertEqual((record["a"]["commits"], record["b"]["commits"]), (4, 1))
            stopped = long_parts.run_parts(["f"], 9, path, 0, 1, lambda part, _: None)
            self.assertEqual((stopped, long_parts.load(path)["f"]["commits"]), (0, 1))
            path.write_text("no JSON")
            self.assertEqual(long_parts.load(path), {})
        self.assertIn("a: last passed 3 commits and ", said.getvalue())

    def test_a_part_is_stopped_with_its_children(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "tools").mkdir()
            part = Path(folder) / "tools" / "part"
            part.write_text("#!/bin/sh\ntest $1 = long || exit 4\nsleep 60 & echo $! > child; wait\n")
            part.chmod(0o755)
            with mock.patch.object(long_parts, "ROOT", Path(folder)):
                self.assertEqual(long_parts.run_part("short", 60), 4)
                self.assertIsNone(long_parts.run_part("long", 1))
            child = Path(f"/proc/{(Path(folder) / 'child').read_text().strip()}/stat")
            deadline = time.monotonic() + 10
            while child.exists() and child.read_text().rsplit(")")[1].split()[0] not in "ZX":
                self.assertLess(time.monotonic(), deadline, "the child of a stopped part still runs")
                time.sleep(0.05)


class Coverage(unittest.TestCase):
    def test_lines_that_nothing_runs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "c" / "src" / "a.rs"
            path.parent.mkdir(parents=True)
            path.write_text(SOURCE)
            counts = coverage.read_counts(COUNTS.format(path=path))
            with mock.patch.object(coverage, "CRATES", Path(folder)), mock.patch.object(coverage, "folder_of", lambda names: {path: "a"}):
                folders, missed = coverage.judged(["a"], counts)
        self.assertEqual(folders, {"a": [9, 5]})
        lines = {str(place): texts for place, texts in missed.items()}
        self.assertEqual(lines["c/src/a.rs: known"], ["4: return 1;", "5: }"])
        self.assertEqual(lines["c/src/a.rs: other"], ["10: pub(crate) const fn other(&self) -> u8 {", "11: 2", "12: }"])

    def test_reasons(self) -> None:
        table = "| `c/a.rs: f` | 2 | never |\n| `c/a.rs: g` | two | never |\n| `c/a.rs: h` | 2 |  |\n"
        self.assertEqual(coverage.reasons(table), {"c/a.rs: f": (2, "never")})


if __name__ == "__main__":
    unittest.main()
