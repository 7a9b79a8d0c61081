/** The settings of the next deployment beside those of the last one, for people, and what stops the deployment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFacts } from '../../infra/aws/stacks.ts';
import { type GivenSettings, parseSettings } from '../../infra/settings/given.ts';
import { settingRows } from '../../infra/settings/rows.ts';
import { settingDefaults } from '../../infra/settings/settings.ts';
import { toTable } from '../listing.ts';

export interface Assembly {
  /** Of the gateway. */
  readonly stackName: string;
  /** Of all stacks. */
  readonly stackNames: readonly string[];
  readonly settings: GivenSettings;
}

interface Manifest {
  readonly artifacts?: Readonly<
    Record<string, { readonly type: string; readonly properties?: { readonly templateFile?: string } }>
  >;
}

interface Template {
  readonly Outputs?: { readonly Settings?: { readonly Value?: unknown } };
}

/** Throws if no stack is a gateway. */
export function readAssembly(directory: string): Assembly {
  const manifest: Manifest = readJson(join(directory, 'manifest.json'));
  const stacks = Object.entries(manifest.artifacts ?? {}).flatMap(([stackName, { type, properties }]) =>
    type === 'aws:cloudformation:stack' && properties?.templateFile !== undefined
      ? [{ stackName, templateFile: properties.templateFile }]
      : [],
  );
  const stackNames = stacks.map(({ stackName }) => stackName);
  for (const { stackName, templateFile } of stacks) {
    const template: Template = readJson(join(directory, templateFile));
    const settings = template.Outputs?.Settings?.Value;
    if (typeof settings === 'string') return { stackName, stackNames, settings: parseSettings(settings) };
  }
  throw new Error(`${directory} has no stack of a gateway.`);
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

export interface SettingChange {
  readonly name: string;
  /** `undefined` where it is, or will be, not given. */
  readonly deployed: string | undefined;
  readonly next: string | undefined;
  /** The name to give it by: settings are renamed. `undefined` if this version has none. */
  readonly nameNow: string | undefined;
}

/** By name. A setting that is given as its default is as one that is not given. */
function changesOf(
  deployed: GivenSettings,
  next: GivenSettings,
  defaults: GivenSettings,
): readonly SettingChange[] {
  const names = [...new Set([...deployed.keys(), ...next.keys()])].sort();
  const valueIn = (given: GivenSettings, name: string) => given.get(name) ?? defaults.get(name) ?? '';
  return names
    .filter((name) => valueIn(deployed, name) !== valueIn(next, name))
    .map((name) => ({
      name,
      deployed: deployed.get(name),
      next: next.get(name),
      nameNow: settingRows.find((row) => row.name === name || row.formerly === name)?.name,
    }));
}

/** Settings that were deployed, and would go back to their defaults only because they are not given. */
const reverted = (changes: readonly SettingChange[], next: GivenSettings): readonly SettingChange[] =>
  changes.filter(
    (change) => change.next === undefined && (change.nameNow === undefined || !next.has(change.nameNow)),
  );

interface Comparison {
  readonly lines: readonly string[];
  /** Settings that are deployed, and would go back only because they are not given. */
  readonly reverted: readonly SettingChange[];
}

/** Only a creation ends so; an update that is taken back has other statuses. */
export const isFailedCreation = ({ status }: StackFacts): boolean =>
  ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'].includes(status);

/** Whether there is a stack by name only: its creation failed, or its first change set was not carried out. */
const isUnmade = (stack: StackFacts) => isFailedCreation(stack) || stack.status === 'REVIEW_IN_PROGRESS';

export function compareSettings(deployed: StackFacts | undefined, next: GivenSettings): Comparison {
  const isThere = deployed !== undefined && !isUnmade(deployed);
  const written = deployed?.outputs.get('Settings');
  if (isThere && written === undefined)
    return {
      lines: [
        `The stack ${deployed.name} does not state its settings, as earlier versions did not: they are not compared.`,
      ],
      reverted: [],
    };
  const before = written === undefined ? new Map() : parseSettings(written);
  const defaults = settingDefaults();
  const changes = changesOf(before, next, defaults);
  if (!isThere)
    return { lines: ['There is no such stack yet: all is new.', ...show(changes, defaults)], reverted: [] };
  const lines = changes.length === 0 ? ['No setting changes.'] : show(changes, defaults);
  return { lines, reverted: reverted(changes, next) };
}

function show(changes: readonly SettingChange[], defaults: GivenSettings): readonly string[] {
  const shown = (name: string, value: string | undefined) => {
    if (value !== undefined) return value;
    return `${defaults.get(name) || 'none'} (default)`;
  };
  return toTable(
    changes.map(({ name, deployed, next }) => ({
      setting: name,
      deployed: shown(name, deployed),
      next: shown(name, next),
    })),
  );
}

/** What happens to tables of a stack that others take the place of. */
export function replacedTables(data: StackFacts | undefined, next: GivenSettings): readonly string[] {
  return [...(data?.outputs ?? [])].flatMap(([output, arn]) => {
    const [, name] = /^(.*)TableArn$/.exec(output) ?? [];
    const adopted = name && next.get(`tables.${name.toLowerCase()}`);
    if (!adopted || adopted === arn) return [];
    const [, table] = arn.split('/');
    return [
      data?.isProtected
        ? `The table ${table} is not used any more. It stays in the account, with what is in it.`
        : `The table ${table} is not used any more, and is DELETED: its stack was deployed with retain=false.`,
    ];
  });
}
