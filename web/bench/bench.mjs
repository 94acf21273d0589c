// Times the package in Node, compared with hash-wasm, @noble/hashes, node:crypto and WebCrypto. The tables have
// nanoseconds for 32 bytes, and MB/s (10^6 bytes) for longer messages.
import { createHash, webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { hash, hashMany, load } from '../package/dist/index.js';
import { compare } from './rows.mjs';

const rounds = Number(process.env.ROUNDS ?? 40);
await load(process.env.MODULE ? readFileSync(process.env.MODULE) : undefined);
console.log(`Node ${process.version}, load ${loadavg()[0].toFixed(1)}, least of ${rounds} slices of 3 ms; ns at 32 B, MB/s above`);
await compare({ hash, hashMany, createHash, subtle: webcrypto.subtle }, rounds, console.log);
