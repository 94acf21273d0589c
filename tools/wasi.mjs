// Runs a program compiled for WASI, with its arguments: what cargo calls for each of the tests of `make test-wasi`.
import { readFile } from 'node:fs/promises';
import { argv, env, exit } from 'node:process';

// Node says of its WASI, each time, that it is experimental.
process.removeAllListeners('warning');
const { WASI } = await import('node:wasi');

const [, , program, ...args] = argv;
const wasi = new WASI({ version: 'preview1', args: [program, ...args], env, preopens: { '/': '/' }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
