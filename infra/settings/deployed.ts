/** The settings in the outputs of a stack, which has no secrets among them. */
import { z } from 'zod';
import type { GivenSettings } from './given.ts';
import { identityRows } from './rows.ts';

const identity = new Set(identityRows.map(({ name }) => name));

/** Without those that say which gateway it is. The same settings are the same text. */
export function writeSettings(given: GivenSettings): string {
  const kept = [...given].filter(([name]) => !identity.has(name));
  return JSON.stringify(Object.fromEntries(kept.sort(([left], [right]) => (left < right ? -1 : 1))));
}

const schema = z.record(z.string(), z.string());

/** The opposite. Throws an Error for another text. */
export const parseSettings = (text: string): GivenSettings =>
  new Map(Object.entries(schema.parse(JSON.parse(text))).map(asNow));

/** Earlier versions had `dashboard=on` for the dashboard of CloudWatch. */
const asNow = ([name, value]: [string, string]): [string, string] =>
  name === 'dashboard' && (value === 'on' || value === 'off')
    ? ['cloudWatchDashboard', value]
    : [name, value];
