// Runs the unchanged snippets of docs/guides/javascript.md, docs/guides/browser.md, the site's page for JavaScript, and
// the package's README.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { test } from 'node:test';

for (const [name, expected] of [
  ['../../docs/guides/javascript.md', 7],
  ['../../docs/guides/browser.md', 2],
  ['../../docs/tutorials/javascript.md', 4],
  ['../package/README.md', 1],
]) {
  test(`snippets of ${name}`, async () => {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8');
    const snippets = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map((found) => found[1]);
    assert.equal(snippets.length, expected);
    for (const [i, snippet] of snippets.entries()) {
      const file = new URL(`snippet-${name.replaceAll(/\W/g, '')}-${i}.mjs`, new URL('../package/dist/', import.meta.url));
      writeFileSync(file, snippet);
      try {
        await import(file);
      } finally {
        rmSync(file);
      }
    }
  });
}
