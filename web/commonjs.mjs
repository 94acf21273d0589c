// Makes the CommonJS version of the package for `require`, in dist/cjs, from the ES modules in dist. Alone: `node commonjs.mjs`.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

/**
 * The replacement of `import.meta.url`: the address of the ES module of the same name, next to which the modules of
 * WebAssembly and the workers are. A bundle may have no such address.
 */
const PLACES = {
  'place.node.js': `const { pathToFileURL } = require('node:url');
exports.place = (name) => typeof __dirname === 'string' ? new URL(name, pathToFileURL(__dirname.replace(/cjs$/, ''))) : undefined;
`,
  'place.js': `exports.place = (name) => globalThis.document ? new URL(name, document.baseURI) : undefined;
`,
};

export function commonjs(dist) {
  const out = join(dist, 'cjs');
  rmSync(out, { recursive: true, force: true });
  const write = (name, text) => {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), text);
  };
  // Workers run the ES modules.
  const names = readdirSync(dist, { recursive: true }).map((name) => name.replaceAll('\\', '/')).filter((name) => !name.startsWith('worker.entry'));
  for (const name of names.filter((name) => name.endsWith('.js'))) {
    const source = readFileSync(join(dist, name), 'utf8');
    const { code } = transformSync(source, { format: 'cjs', target: 'node20', define: { 'import.meta.url': 'moduleUrl' } });
    write(name, source.includes('import.meta.url') ? `const moduleUrl = require('#place').place('${name}');\n${code}` : code);
  }
  // The types are the same, but are those of CommonJS modules in this folder.
  for (const name of names.filter((name) => name.endsWith('.d.ts'))) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    copyFileSync(join(dist, name), join(out, name));
  }
  for (const [name, text] of Object.entries(PLACES)) write(name, text);
  const imports = Object.fromEntries(['place', 'read', 'worker'].map((name) => [`#${name}`, { node: `./${name}.node.js`, default: `./${name}.js` }]));
  write('package.json', `${JSON.stringify({ type: 'commonjs', sideEffects: false, imports }, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) commonjs(fileURLToPath(new URL('package/dist', import.meta.url)));
