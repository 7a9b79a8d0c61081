/** Words of our own for which the field has a name: they do not come back into what users read, nor into comments. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

const instead: Readonly<Record<string, RegExp>> = {
  'unauthenticated caller': /\bstrangers?\b/i,
  'leaked reservation': /\bstranded\b/i,
  'passed through, translated': /\b(first|second) lane\b/i,
  'quota pool': /\bbank\b/i,
  'lease, leased': /\b(lent|lends?|loans)\b/i,
  'sign-in method, authentication': /\bways in\b/i,
  'region group': /\bregions? (and|or) areas?\b/i,
  audio: /\bof sound\b|\bsound in\b/i,
  'the database is unavailable': /\bdatabase (is|was|has been) silent\b|\bsilent database\b/i,
  'dashboard: user': /\bthe person (who|may|signs)\b/i,
  dashboard: /\bthe page for people\b/i,
  'schema version': /\b(later|earlier) form\b/i,
};

const folders = [
  'lib',
  'functions',
  'server',
  'cli',
  'local',
  'infra',
  'dashboard',
  'sandbox',
  'build',
  'docs',
  'examples',
];
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const files = [
  ...pages,
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|md|css)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  ),
];

test('the terms are the field’s', () => {
  const found = files.flatMap((name) => {
    const lines = readFileSync(join(root, name), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      Object.entries(instead).flatMap(([better, word]) =>
        word.test(line) ? [`${name}:${index + 1}: write "${better}"`] : [],
      ),
    );
  });
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
