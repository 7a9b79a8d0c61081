/** The hand-written pages: links lead somewhere, paths exist, every decision is listed, every package has its reason. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const markdownIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => relative(root, join(root, folder, name)));

const pages = [...markdownIn('.'), ...markdownIn('docs'), ...markdownIn('examples')];

/** As repository pages make them of headings. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  Array.from(read(path).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading));

test.each(pages)('%s: every link leads to a file, and to a heading of it', (page) => {
  const links = Array.from(read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g));
  const broken = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

const described = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...markdownIn('docs'),
  ...markdownIn('examples'),
];

test.each(described)('%s: every path of the project that it names exists', (page) => {
  const prose = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  const named = Array.from(
    prose.matchAll(
      /`((?:lib|infra|functions|server|build|cli|sandbox|local|dashboard|test|docs|examples)\/[\w./-]+)`/g,
    ),
    ([, path = '']) => path,
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('the decisions', () => {
  const files = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name));

  test('are numbered without gaps, and listed in their order with their titles', () => {
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_name, index) => index + 1));
    const listed = files.map((name) => {
      const [, title = ''] = /^# \d+\. (.+)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
      return `- [${name.slice(0, 4)}](${name}) ${title}`;
    });
    expect(read('docs/decisions/README.md').match(/^- .*$/gm)).toEqual(listed);
  });

  test('are few: one that no longer holds goes, and a new one is joined with its kin', () => {
    expect(files.length).toBeLessThanOrEqual(42);
  });

  test.each(files)('%s has its context, decision and consequences in at most 300 words', (name) => {
    const text = read(`docs/decisions/${name}`);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(301);
    const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Consequences']);
  });
});

test('every package has its reason in ARCHITECTURE.md, and no other is named there', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'));
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const [, section = ''] = read('ARCHITECTURE.md').split('## Dependencies');
  const cells = Array.from(section.matchAll(/^\| (`[^|]+) \|/gm), ([, cell = '']) => cell);
  const named = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
  expect(named.sort()).toEqual(used.sort());
});
