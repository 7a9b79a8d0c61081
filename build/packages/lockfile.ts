/** The packages of `package-lock.json`: what is installed where, under which licence, and what it depends on. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** One package at its place; a package may be installed twice. */
export interface Package {
  /** Relative to the project, `node_modules/zod`; unique. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** Of its archive, `sha512-<base64>`; absent if it is inside the archive of another package. */
  readonly integrity?: string;
  /** Whether only development, deployment and tests need it. */
  readonly isDevelopment: boolean;
  readonly isOptional: boolean;
  /** The paths of the packages that it depends on, sorted. Optional ones for other systems may be missing. */
  readonly dependencies: readonly string[];
}

export interface Lockfile {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** The paths of the packages that the project itself names. */
  readonly dependencies: readonly string[];
  /** Sorted by path. */
  readonly packages: readonly Package[];
}

interface Entry {
  readonly name?: string;
  readonly version: string;
  readonly license: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Entries = Readonly<Record<string, Entry>>;

export async function readLockfile(file = join(root, 'package-lock.json')): Promise<Lockfile> {
  const { packages }: { readonly packages: Entries } = JSON.parse(await readFile(file, 'utf8'));
  const { '': project, ...installed } = packages;
  if (!project?.name) throw new Error('The lockfile does not name the project.');
  return {
    name: project.name,
    version: project.version,
    licence: project.license,
    dependencies: dependenciesOf(packages, '', project),
    packages: Object.keys(installed)
      .toSorted()
      .flatMap((path) => toPackage(packages, path) ?? []),
  };
}

function toPackage(entries: Entries, path: string): Package | undefined {
  const entry = entries[path];
  if (!entry) return undefined;
  return {
    path,
    name: entry.name ?? path.replace(/^.*node_modules\//, ''),
    version: entry.version,
    licence: entry.license,
    ...(entry.integrity !== undefined && { integrity: entry.integrity }),
    isDevelopment: Boolean(entry.dev || entry.devOptional),
    isOptional: Boolean(entry.optional),
    dependencies: dependenciesOf(entries, path, entry),
  };
}

function dependenciesOf(entries: Entries, path: string, entry: Entry): readonly string[] {
  const { dependencies, devDependencies, optionalDependencies } = entry;
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return names.flatMap((name) => placeOf(entries, path, name) ?? []).toSorted();
}

/** As Node looks it up: in the package's own directory, then in those above. */
function placeOf(entries: Entries, path: string, name: string): string | undefined {
  const place = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  if (entries[place]) return place;
  if (path === '') return undefined;
  return placeOf(entries, path.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''), name);
}
