// Runs a program compiled for WASI, with its arguments. cargo uses this script to run each test of `make test-wasi`.
import { readFile } from 'node:fs/promises';
import { argv, env, exit } from 'node:process';

// Removes the warning that WASI is experimental, which Node prints on every start.
process.removeAllListeners('warning');
const { WASI } = await import('node:wasi');

const [, , program, ...args] = argv;
const wasi = new WASI({ version: 'preview1', args: [program, ...args], env, preopens: { '/': '/' }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
