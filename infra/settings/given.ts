/** The settings that are given, as texts: those of the context of the app, then those of the file that `config` names. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { didYouMean } from '../../lib/core/names/closest-name.ts';
import { identityRows, settingRows } from './rows.ts';
import type { SettingFormat, SettingRow } from './values.ts';

/** Names and values, as on the command line. */
export type GivenSettings = ReadonlyMap<string, string>;

/** Other keys of the context are those of the CDK and its libraries. */
const ownName = /^[A-Za-z][A-Za-z0-9.]*$/;

/** Throws an Error that names the setting or the file at fault. */
export function givenSettings(context: Readonly<Record<string, unknown>>): GivenSettings {
  const own = Object.entries(context).filter(([name]) => ownName.test(name));
  const typed = toTexts(Object.fromEntries(own), 'The setting');
  const file = typed.get('config');
  return file === undefined ? typed : new Map([...settingsOfFile(file), ...typed]);
}

/** Throws an Error that names the file, and the setting at fault. */
export function settingsOfFile(path: string): GivenSettings {
  const given = toTexts(readSettingsFile(path), `${path}: the setting`);
  if (given.has('config'))
    throw new Error(`${path}: the setting "config" belongs on the command line, and not into a file.`);
  return given;
}

/** `what` begins the message of an error. */
function toTexts(values: Readonly<Record<string, unknown>>, what: string): GivenSettings {
  return new Map(
    flatten(values).map(([name, value]) => {
      const row = settingRows.find((candidate) => candidate.name === name);
      if (!row) throw new Error(`${what} "${name}" ${replacementOf(name)}`);
      return [name, toText(row, value, what)];
    }),
  );
}

/** `{ tables: { usage: … } }` is the setting `tables.usage`. */
function flatten(values: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(values).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (!settingRows.some((row) => row.name.startsWith(`${name}.`)) || !isObject(value))
      return [[name, value]];
    return Object.entries(value).map(([rest, inner]) => [`${name}.${rest}`, inner]);
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function replacementOf(name: string): string {
  const renamed = settingRows.find(({ formerly }) => formerly === name);
  if (renamed) return `is now "${renamed.name}".`;
  const names = settingRows.map((row) => row.name);
  return `is unknown.${didYouMean(name, names, (near) => `"${near}"`)}`;
}

const single = z.union([z.string(), z.number(), z.boolean()]);
const text = single.transform(String);
const objectWith = (separator: string) =>
  z.record(z.string(), single).transform((values) =>
    Object.entries(values)
      .map(([key, value]) => `${key}${separator}${value}`)
      .join(','),
  );

const forms: Readonly<
  Record<SettingFormat | 'text', { readonly schema: z.ZodType<string>; readonly is: string }>
> = {
  text: { schema: text, is: 'a text, a number, true or false' },
  list: {
    schema: z.union([text, z.array(single).transform((parts) => parts.join(','))]),
    is: 'a list of texts',
  },
  map: { schema: z.union([text, objectWith(':')]), is: 'an object, such as {"models": 10}' },
  tags: { schema: z.union([text, objectWith('=')]), is: 'an object, such as {"team": "ai"}' },
};

function toText({ name, form }: SettingRow, value: unknown, what: string): string {
  const { schema, is } = forms[form ?? 'text'];
  const { success, data } = schema.safeParse(value);
  if (success) return data;
  throw new Error(`${what} "${name}" must be ${is}.`);
}

/** One object of JSON, with the names of `-c`. Throws an Error that names the file. */
function readSettingsFile(path: string): Readonly<Record<string, unknown>> {
  const value = parse(path, read(path));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${path}: settings are one object, such as {"ledgerDays": 400}.`);
  return { ...value };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`The settings file ${path} cannot be read: ${code ?? error}.`);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

const identity = new Set(identityRows.map(({ name }) => name));

/**
 * For an output of the stack, which has no secrets among them. Without those that say which gateway it is. The same settings are the same
 * text.
 */
export function writeSettings(given: GivenSettings): string {
  const kept = [...given].filter(([name]) => !identity.has(name));
  return JSON.stringify(Object.fromEntries(kept.sort(([left], [right]) => (left < right ? -1 : 1))));
}

const deployed = z.record(z.string(), z.string());

/** The opposite. Throws an Error for another text. */
export const parseSettings = (text: string): GivenSettings =>
  new Map(Object.entries(deployed.parse(JSON.parse(text))).map(asNow));

/** Earlier versions had `dashboard=on` for the dashboard of CloudWatch. */
const asNow = ([name, value]: [string, string]): [string, string] =>
  name === 'dashboard' && (value === 'on' || value === 'off')
    ? ['cloudWatchDashboard', value]
    : [name, value];
