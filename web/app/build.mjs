/**
 * Makes the page: `node build.mjs OUTPUT MODULE=FILE…`. The page is one file that contains everything. Its content security
 * policy allows only the scripts and styles with the listed hashes, so that nothing is loaded and nothing else runs.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, transform } from 'esbuild';

const here = import.meta.dirname;
const [output, ...modules] = process.argv.slice(2);
/** A picture of the engine, which contains its style. The page includes this style, because the policy forbids others. */
const PICTURE = 'docs/gallery/crp.svg';

async function script(name) {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'src', name)],
    bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', platform: 'browser', charset: 'utf8',
    // The page passes the modules as bytes.
    define: { 'import.meta.url': '"file:///"' },
    legalComments: 'none',
  });
  return outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const inert = (id, bytes) =>
  `<script id="${id}" type="application/octet-stream;base64">${Buffer.from(bytes).toString('base64')}</script>`;

const pictures = (await readFile(join(here, '../..', PICTURE), 'utf8')).match(/<style>(.*?)<\/style>/s)[1];
const css = await transform(await readFile(join(here, 'style.css'), 'utf8'), { loader: 'css', minify: true });
const style = css.code.trim() + pictures;
const main = await script('main.ts');
if (/<\/script|<!--/i.test(main)) throw new Error('the script would end the element that it is in');
const parts = [inert('worker', await script('worker.ts'))];
for (const given of modules) {
  const [name, file] = given.split('=');
  parts.push(inert(`${name}-module`, await readFile(file)));
}
const policy = [
  "default-src 'none'", `script-src ${hash(main)} 'wasm-unsafe-eval'`, `style-src ${hash(style)}`, 'worker-src blob:',
  'img-src data: blob:', "base-uri 'none'", "form-action 'none'",
].join('; ');
const page = await readFile(join(here, 'index.html'), 'utf8');
const values = { POLICY: policy, STYLE: style, MODULES: parts.join('\n'), SCRIPT: main };
await mkdir(dirname(output), { recursive: true });
await writeFile(output, page.replace(/%([A-Z]+)%/g, (_, name) => values[name]));
