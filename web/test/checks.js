// The checks of a loaded package in Node and in browsers: every vector, and every length of the sweep. They return the
// number of compared values, and the differences.

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** The bytes of a vector's input, in one of the forms in `vectors/README.md`. */
export function input({ hex, ascii, pattern, len }) {
  if (hex !== undefined) return unhex(hex);
  if (ascii !== undefined) return new TextEncoder().encode(ascii);
  const out = new Uint8Array(len);
  if (pattern === 'mod251') for (let i = 0; i < len; i++) out[i] = i % 251;
  else if (pattern === 'ff') out.fill(0xff);
  else if (pattern.startsWith('byte:')) out.fill(parseInt(pattern.slice(5), 16));
  else if (pattern !== 'zeros') throw new Error(`unknown pattern ${pattern}`);
  return out;
}

function options(vector) {
  const found = {};
  const bytes = { key: 'key', salt: 'salt', personal: 'personal', customization: 'customization', function_name: 'functionName' };
  for (const [field, name] of Object.entries(bytes)) if (vector[field]) found[name] = unhex(vector[field]);
  if (vector.customization_pattern) found.customization = input(vector.customization_pattern);
  if (vector.domain !== undefined) found.domain = vector.domain;
  if (vector.context !== undefined) found.context = vector.context;
  return Object.keys(found).length ? found : undefined;
}

// Vectors for functions that the package does not have, or that other tests check.
const ELSEWHERE = ['chunk-list', 'draw', 'process', 'rows', 'sampling', 'sweep'];
/** For vectors that are not for a hash function: the function that they test. The smaller entry points don't have it. */
const FUNCTIONS = { hmac: 'hmac', kmac: 'kmac', 'hmac-drbg': 'drbg', hkdf: 'hkdf', random: 'randomSource' };
/** Inputs with at least this length are also hashed in pieces. */
const LONG = 1 << 16;

export function checkVectors(api, vectors) {
  const wrong = [];
  let compared = 0;
  const compare = (what, got, expected) => {
    compared++;
    if (hex(got) !== expected) wrong.push(`${what}: ${hex(got).slice(0, 64)} instead of ${expected.slice(0, 64)}`);
  };
  const rows = new Map(api.algorithms().map((row) => [row.name, row]));
  for (const [name, { cases, rest, rejected = [] }] of Object.entries(vectors)) {
    if (ELSEWHERE.includes(name) || (name in FUNCTIONS && !api[FUNCTIONS[name]])) continue;
    cases.forEach((vector, i) => {
      const what = `${name} case ${i}`;
      if (name === 'hmac') {
        const tag = api.hmac(vector.algorithm, unhex(vector.key), input(vector.input));
        compare(what, tag.subarray(0, vector.truncate ?? tag.length), vector.expected);
        const mac = api.hmacHasher(vector.algorithm, unhex(vector.key)).update(input(vector.input));
        if (!mac.verify(tag) || mac.verify(tag.map((byte) => byte ^ 1)) || mac.verify(tag.subarray(1))) wrong.push(`${what}: verify`);
        return;
      }
      if (name === 'state') {
        const { algorithm, len, output_len: outputLen, state, expected } = vector;
        const data = input({ pattern: 'mod251', len: len + rest });
        const given = options(vector);
        const chosen = outputLen === undefined ? given : { ...given, outputLen };
        const start = rows.get(algorithm).kind === 'stream' ? api.xof : (name, data, chosen) => api.hasher(name, chosen).update(data);
        const saved = start(algorithm, data.subarray(0, len), chosen);
        compare(`${what} saved`, saved.toBytes(), state);
        const restored = saved.constructor.fromBytes(unhex(state));
        if (restored.algorithm !== algorithm || restored.messageLen !== BigInt(len)) wrong.push(`${what}: ${restored.algorithm}, ${restored.messageLen}`);
        compare(`${what} saved again`, restored.toBytes(), state);
        restored.update(data.subarray(len));
        compare(what, restored.read ? restored.read(expected.length / 2) : restored.digest(), expected);
        compare(`${what} as a hash`, api.Hasher.fromBytes(unhex(state)).update(data.subarray(len)).digest(), expected);
        return;
      }
      if (name === 'kmac') {
        const [key, data, expected] = [unhex(vector.key), input(vector.input), unhex(vector.expected)];
        const { algorithm, xof, output_len: outputLen } = vector;
        // An empty customization is the same as none, so it is not passed.
        const given = vector.customization && { customization: unhex(vector.customization) };
        compare(what, api.kmac(algorithm, key, data, { ...given, outputLen, xof }), vector.expected);
        if (xof) {
          const stream = api.kmacXof(algorithm, key, given || undefined);
          for (let at = 0; at < data.length; at += 99) stream.update(data.subarray(at, at + 99));
          const out = [];
          for (let at = 0; at < outputLen; at += 7) out.push(...stream.read(Math.min(7, outputLen - at)));
          compare(`${what} in pieces`, out, vector.expected);
          stream.free();
          return;
        }
        const mac = api.kmacHasher(algorithm, key, { ...given, outputLen });
        for (let at = 0; at < data.length; at += 99) mac.update(data.subarray(at, at + 99));
        compare(`${what} in pieces`, mac.digest(), vector.expected);
        if (!mac.verify(expected) || mac.verify(expected.map((byte) => byte ^ 1)) || mac.verify(expected.subarray(1))) wrong.push(`${what}: verify`);
        mac.free();
        return;
      }
      if (name === 'hmac-drbg') {
        const [entropy, nonce, personalization] = [vector.entropy, vector.nonce, vector.personalization ?? ''].map(unhex);
        const generator = api.drbg(vector.algorithm, entropy, nonce, { personalization });
        vector.steps.forEach((step, j) => {
          let additional = unhex(step.additional ?? '');
          const fresh = step.reseed ?? step.entropy;
          if (fresh !== undefined) {
            generator.reseed(unhex(fresh), additional);
            additional = undefined;
          }
          if (step.generate === undefined) return;
          const out = generator.generate(step.generate, additional);
          if (step.expected !== undefined) compare(`${what} step ${j}`, out, step.expected);
        });
        generator.free();
        return;
      }
      if (name === 'hkdf') {
        compare(what, api.hkdf(vector.algorithm, ...[vector.ikm, vector.salt, vector.info].map(unhex), vector.length), vector.okm);
        return;
      }
      if (name === 'random') {
        // JavaScript does not support positions from 2^64 on, nor jumps.
        if (vector.jumps !== undefined || vector.child !== undefined || vector.words !== undefined) return;
        const skip = BigInt(vector.skip ?? 0);
        if (skip >= 1n << 64n) return;
        const source = api.randomSource(vector.source, unhex(vector.seed), unhex(vector.personalization ?? ''));
        compare(what, source.seek(skip).read(vector.expected.length / 2), vector.expected);
        return;
      }
      const data = input(vector.input);
      const given = options(vector);
      const len = vector.output_len ?? vector.expected.length / 2;
      const skip = vector.skip ?? 0;
      if (rows.get(name).kind === 'stream') {
        compare(what, api.hash(name, data, { ...given, outputLen: len }).subarray(skip), vector.expected);
        const stream = api.xof(name, undefined, given);
        for (let at = 0; at < data.length; at += 999) stream.update(data.subarray(at, at + 999));
        const out = [];
        for (let at = 0; at < len; at += 77) out.push(...stream.read(Math.min(77, len - at)));
        compare(`${what} in pieces`, out.slice(skip), vector.expected);
        stream.free();
        return;
      }
      const odd = len !== rows.get(name).outputLen ? { ...given, outputLen: len } : given;
      compare(what, api.hash(name, data, odd), vector.expected);
      const hasher = api.hasher(name, odd);
      const step = data.length > LONG ? 65_537 : 63;
      for (let at = 0; at < data.length; at += step) hasher.update(data.subarray(at, at + step));
      compare(`${what} in pieces`, hasher.digest(), vector.expected);
      hasher.free();
      compare(`${what} of many`, api.hashMany(name, [data, data, new Uint8Array(1), data], odd)[3], vector.expected);
    });
    rejected.forEach(({ state, message }, i) => {
      for (const { fromBytes } of [api.Hasher, api.Xof]) {
        compared++;
        try {
          fromBytes(unhex(state));
          wrong.push(`${name} rejected ${i} was accepted`);
        } catch (error) {
          if (error.code !== 'mismatch' || error.message !== message) wrong.push(`${name} rejected ${i}: ${error.code}, ${error.message}`);
        }
      }
    });
  }
  return { compared, wrong };
}

/** The lengths of the sweep: all short ones, and those around the boundaries of blocks, chunks and groups of chunks. */
export function lengths() {
  const found = new Set();
  for (let len = 0; len <= 1100; len++) found.add(len);
  for (let border = 1024; border <= 1 << 16; border += border < 1 << 14 ? 512 : 4096) {
    for (const len of [border - 1, border, border + 1]) found.add(len);
  }
  for (const rate of [72, 104, 136, 144, 168]) for (let n = 8; n <= 64; n += 7) for (const by of [-1, 0, 1]) found.add(n * rate + by);
  return [...found].sort((a, b) => a - b);
}

/** Compares a digest of all digests with that of the native library (`vectors/sweep.json`), for single messages and batches. */
export function checkSweep(api, sweep) {
  const wrong = [];
  const all = input({ pattern: 'mod251', len: 1 << 17 });
  // Messages of different lengths begin at different positions.
  const messages = lengths().map((len) => all.subarray(len % 256, (len % 256) + len));
  for (const { algorithm, expected } of sweep.cases) {
    const one = api.hasher('sha256');
    for (const message of messages) one.update(api.hash(algorithm, message));
    const many = api.hasher('sha256');
    for (const digest of api.hashMany(algorithm, messages)) many.update(digest);
    if (hex(one.digest()) !== expected) wrong.push(`${algorithm}, one by one`);
    if (hex(many.digest()) !== expected) wrong.push(`${algorithm}, many at once`);
    one.free();
    many.free();
  }
  return { compared: 2 * sweep.cases.length * messages.length, wrong };
}
