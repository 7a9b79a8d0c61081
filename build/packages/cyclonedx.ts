/**
 * The bill of materials in the form of CycloneDX 1.6: every package of the lockfile, with its licence, its hash, what it is for, and
 * which functions contain it. The same lockfile gives the same document, and it names no registry. Source: cyclonedx.org, the JSON
 * reference of version 1.6, and its taxonomy of npm properties.
 */
import { createHash } from 'node:crypto';
import type { Lockfile, Package } from './lockfile.ts';

/** The paths of the packages that a function contains, by its name. */
export type BundledPackages = Readonly<Record<string, readonly string[]>>;

export function toCycloneDx(lockfile: Lockfile, bundled: BundledPackages): object {
  const { name, version, licence, dependencies, packages } = lockfile;
  const content = {
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        licenses: toLicences(licence),
        purl: toPurl({ name, version }),
      },
    },
    components: packages.map((item) => toComponent(item, bundled)),
    dependencies: [
      { ref: name, dependsOn: dependencies },
      ...packages.map((item) => ({ ref: item.path, dependsOn: item.dependencies })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}

function toComponent(item: Package, bundled: BundledPackages): object {
  const { path, name, version, licence, integrity, isDevelopment, isOptional } = item;
  const functions = Object.keys(bundled).filter((one) => bundled[one]?.includes(path));
  const properties = [
    { name: 'cdx:npm:package:path', value: path },
    ...(isDevelopment ? [{ name: 'cdx:npm:package:development', value: 'true' }] : []),
    ...(integrity === undefined ? [{ name: 'cdx:npm:package:bundled', value: 'true' }] : []),
    ...functions.toSorted().map((value) => ({ name: 'model-gateway:function', value })),
  ];
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    scope: isDevelopment ? 'excluded' : isOptional ? 'optional' : 'required',
    ...(integrity !== undefined && { hashes: toHashes(integrity) }),
    licenses: toLicences(licence),
    purl: toPurl(item),
    properties,
  };
}

/** A single licence has an id; a choice is an expression. */
const toLicences = (licence: string): readonly object[] =>
  /[ ()]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];

/** A scope's `@` is encoded, its slash is not. */
const toPurl = ({ name, version }: Pick<Package, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

function toHashes(integrity: string): readonly object[] {
  return integrity.split(' ').map((one) => {
    const [, bits, base64 = ''] = /^sha(256|384|512)-(.+)$/.exec(one) ?? [];
    if (bits === undefined) throw new Error(`The lockfile has a hash of another kind: ${one.slice(0, 10)}.`);
    return { alg: `SHA-${bits}`, content: Buffer.from(base64, 'base64').toString('hex') };
  });
}

/** A UUID of version 8: of a hash, so that the same content has the same. */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) % 4) + 8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
