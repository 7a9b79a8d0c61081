/** What the project is made of: the packages in the functions and their licences, the bill of materials, and install scripts. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundledPackages, bundles } from '../../build/build.ts';
import { licencesOf } from '../../build/packages/licences.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (name: string) => readFile(join(root, name), 'utf8');

/** Licences that allow the functions to be used and passed on with no more than a notice. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

interface LockedPackage {
  readonly version: string;
  readonly license: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
let bundled: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  bundled = await bundledPackages();
});

const inFunctions = () => [...new Set(Object.values(bundled).flat())].toSorted();
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

describe('the packages in the functions', () => {
  test('are those that ARCHITECTURE.md lists for the request path', async () => {
    const [section = ''] =
      /^On the request path:\n[\s\S]*?\nFor development/m.exec(await textOf('ARCHITECTURE.md')) ?? [];
    const rows = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
    const [, brought = ''] = /^They bring ([\s\S]*?)\n\n/m.exec(section) ?? [];
    const others = [...brought.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const { dependencies } = JSON.parse(await textOf('package.json'));
    expect(rows.toSorted()).toEqual(Object.keys(dependencies).toSorted());
    const names = inFunctions().map(nameOf);
    expect(names.filter((name) => !rows.includes(name))).toEqual(others.toSorted());
  });

  test('are for more than development, have a hash, and a licence that allows their use', () => {
    const found = inFunctions().map((path) => packages[path]);
    expect(found.length).toBeGreaterThan(10);
    for (const item of found) {
      expect(item).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
      expect(item?.dev ?? item?.devOptional).toBeUndefined();
      expect(allowed).toContain(item?.license);
    }
  });

  test('are named with the text of their licence beside each function', async () => {
    for (const [name, paths] of Object.entries(bundled)) {
      const text = await licencesOf(paths);
      for (const path of paths) {
        const { version, license } = packages[path] ?? {};
        expect(text, name).toContain(`${nameOf(path)} ${version} (${license})`);
      }
      if (paths.includes('node_modules/zod')) expect(text).toContain('Copyright (c) 2025 Colin McDonnell');
      if (paths.includes('node_modules/@middy/core'))
        expect(text).toContain('Copyright (c) Middy contributors');
    }
  });
});

test('every function has a list of its packages', () => {
  expect(Object.keys(bundled)).toEqual(Object.keys(bundles));
});

test('the bill of materials is made from the lockfile, and names no host that packages come from', async () => {
  const { scripts } = JSON.parse(await textOf('package.json'));
  const [program, ...options] = scripts.sbom.replace(/ > .*/, '').split(' ');
  const text = execFileSync(program, options, { cwd: root, encoding: 'utf8', maxBuffer: 10_000_000 });
  const document = JSON.parse(text);
  expect(document).toMatchObject({ bomFormat: 'CycloneDX' });
  const names = document.components.map(({ name }: { readonly name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(inFunctions().map(nameOf)));
  expect(text).not.toMatch(/registry/);
});

describe('install scripts', () => {
  test('are off for all packages, whichever npm installs them', async () => {
    expect((await textOf('.npmrc')).split('\n')).toContain('ignore-scripts=true');
    const withScripts = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
    const { allowScripts, scripts } = JSON.parse(await textOf('package.json'));
    expect(allowScripts).toEqual(
      Object.fromEntries(withScripts.map((path) => [path.replace('node_modules/', ''), false])),
    );
    // npm would run none of these.
    const hooks = Object.keys(scripts).filter((name) => /^(pre|post)/.test(name));
    expect(hooks).toEqual([]);
  });
});
