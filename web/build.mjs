// Builds the package: the modules of WebAssembly by cargo and wasm-opt, the scripts by TypeScript. Into package/dist.
// `node build.mjs NAME…` builds only the modules of these names, and keeps the others that are there.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { commonjs } from './commonjs.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = `${here}/..`;
const dist = `${here}/package/dist`;
const bin = (name) => `${here}/node_modules/.bin/${name}`;
const run = (command, args, env = {}) =>
  execFileSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });

/**
 * The modules: the name, the features of the crate, and the profile. `simd`: uses vectors of 128 bits. `script`: is also written as a script.
 * `again`: is optimised again.
 */
const MODULES = [
  { name: 'hashwell', crate: 'hashwell-wasm', features: 'all', simd: false },
  { name: 'hashwell.simd', crate: 'hashwell-wasm', features: 'all', simd: true },
  { name: 'hashwell-hashes', crate: 'hashwell-wasm', features: 'states', simd: false, script: false },
  { name: 'hashwell-hashes.simd', crate: 'hashwell-wasm', features: 'states', simd: true, script: false },
  ...['sha256', 'sha512', 'sha3-256', 'shake128', 'blake2b-512', 'blake3'].map((feature) => (
    { name: `hashwell-${feature}`, crate: 'hashwell-wasm', features: feature, simd: false, script: false })),
  { name: 'hashwell-draw', crate: 'hashwell-draw-wasm', features: '', profile: 'wasm-draw', simd: false, script: false, again: true },
];

// What every browser with these modules has, and what Rust's compiler takes for granted.
const PROPOSALS = ['bulk-memory', 'mutable-globals', 'nontrapping-float-to-int', 'sign-ext', 'multivalue', 'reference-types'];

// A function goes into another where it is asked for, or is small: 1 KB less of the module of all hashes. (Of draws, whose profile
// has a lower threshold, it would be more.)
const INLINING = { 'hashwell-wasm': ['-C', 'llvm-args=-inline-threshold=25'] };

// Modules with vectors contain the source positions of panics. The file names in them must not depend on this machine.
const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { cwd: root }).toString().trim();
const host = /^host: (.*)$/m.exec(execFileSync('rustc', ['-vV'], { cwd: root }).toString())[1];
const FOLDERS = [
  [realpathSync(root), '/hashwell'],
  [process.env.CARGO_HOME ?? `${homedir()}/.cargo`, '/cargo'],
  [`${sysroot}/lib/rustlib/src/rust`, '/rust'],
].map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`);

/**
 * Optimises a whole module again with the programs of rustup's component `llvm-tools`, and replaces the module that cargo built. This
 * saves 15 KB in the module for draws, because the messages of panics are not used. Each pass finds one more function of the standard
 * library that has no effect, and after three passes none is left. (`hashwell-wasm` does not contain that library, so it needs no pass.)
 */
function again(built) {
  const lib = `${sysroot}/lib/rustlib`;
  const tool = (name, args) => run(`${lib}/${host}/bin/${name}`, args);
  const stem = built.replace(/\.wasm$/, '').replace(/([^/]*)$/, 'deps/$1');
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(built))).filter(({ kind }) => kind !== 'memory');
  const [builtins] = readdirSync(`${lib}/wasm32-unknown-unknown/lib`).filter((file) => /^libcompiler_builtins-.*\.rlib$/.test(file));
  tool('opt', [`-passes=${Array(3).fill('globalopt,lto<Oz>').join(',')}`, `${stem}.bc`, '-o', `${stem}.again.bc`]);
  tool('llc', ['-O2', '-filetype=obj', '-function-sections', '-data-sections', `${stem}.again.bc`, '-o', `${stem}.again.o`]);
  // As rustc links.
  tool('rust-lld', ['-flavor', 'wasm', ...exports.map((item) => `--export=${item.name}`), '-z', 'stack-size=1048576', '--stack-first',
    '--no-entry', '--gc-sections', '-O2', `${stem}.again.o`, `${lib}/wasm32-unknown-unknown/lib/${builtins}`, '-o', `${stem}.again.wasm`]);
  return `${stem}.again.wasm`;
}

function module({ name, crate, features, profile = 'wasm', simd, script = true, again: twice = false }) {
  const target = `${process.env.CARGO_TARGET_DIR ?? `${root}/target`}/web/${simd ? 'simd' : 'scalar'}`;
  const list = [features, ...(simd ? ['simd128'] : [])].filter(Boolean).join(',');
  // Building a Rust library too, as for tests, would keep all public functions and everything that they call: 29 KB for draws.
  run('cargo', ['rustc', '--quiet', '--locked', '--profile', profile, '-p', crate, '--lib', '--crate-type', 'cdylib', '--no-default-features',
    '--features', list, '--target', 'wasm32-unknown-unknown', '--target-dir', target, ...(twice ? ['--', '--emit=llvm-bc,link'] : [])],
  { CARGO_ENCODED_RUSTFLAGS: [...FOLDERS, ...(INLINING[crate] ?? []), ...(simd ? ['-C', 'target-feature=+simd128'] : [])].join('\x1f') });
  const out = `${dist}/${name}.wasm`;
  const built = `${target}/wasm32-unknown-unknown/${profile}/${crate.replaceAll('-', '_')}.wasm`;
  // Functions with the same name are instances of one function for several types. Sorted by name, they compress better: 2.6 KB less for draws.
  run(bin('wasm-opt'), [...PROPOSALS, ...(simd ? ['simd'] : [])].map((proposal) => `--enable-${proposal}`).concat(
    ['-Os', ...(crate === 'hashwell-draw-wasm' ? ['--converge', '--reorder-functions-by-name'] : []), '--strip-debug', '--strip-producers', '--strip-target-features', '-o', out, twice ? again(built) : built]));
  if (!script) return;
  const text = readFileSync(out).toString('base64');
  writeFileSync(`${here}/package/src/${name}.wasm.ts`, `// Made by build.mjs.
const TEXT = '${text}';

/** The module's bytes. */
export const bytes = (): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(TEXT), (letter) => letter.charCodeAt(0));
`);
}

const only = process.argv.slice(2);
if (only.length === 0) rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
MODULES.filter(({ name }) => only.length === 0 || only.includes(name)).forEach(module);
for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(`${root}/${licence}`, `${here}/package/${licence}`);
run(bin('tsc'), ['-p', `${here}/package`]);
commonjs(dist);
