/**
 * What a reader leaves out of a body: fields that its schema does not have, at the places where it refuses none. They are found
 * by comparing the body with what the schema made of it.
 */
import { isJsonObject } from '../core/json-object.ts';
import type { Change } from '../normalization/rule.ts';
import { sizeOf } from '../normalization/summarize.ts';

/** Fields of one name in like places, such as every message of a long history, are one record. */
interface Kind {
  readonly param: string;
  readonly before: unknown;
  count: number;
}

interface Found {
  readonly kinds: Map<string, Kind>;
  /** The number of fields beyond the most kinds that are listed. */
  others: number;
}

const maxKinds = 20;
const maxNameLength = 64;

/** Null is absence: leaving it out changes nothing. Values are not shown, because they may hold the conversation. */
export function leftOutFields(given: unknown, read: unknown): readonly Change[] {
  const found: Found = { kinds: new Map(), others: 0 };
  compare(given, read, [], found);
  const changes = [...found.kinds.values()].map(({ param, before, count }) =>
    leftOut(param, before, `The gateway does not know this field.${alike(count - 1)}`),
  );
  if (found.others === 0) return changes;
  const before = `${found.others} ${found.others === 1 ? 'field' : 'fields'}`;
  return [
    ...changes,
    leftOut('*', before, 'The gateway does not know these fields, and does not list more.'),
  ];
}

const alike = (many: number): string => {
  if (many === 0) return '';
  return many === 1 ? ' It was in one more place.' : ` It was in ${many} more places.`;
};

function leftOut(param: string, before: unknown, reason: string): Change {
  return { param, action: 'strip', before, after: null, reason };
}

function compare(given: unknown, read: unknown, path: readonly string[], found: Found): void {
  if (given === read) return;
  if (Array.isArray(given) && Array.isArray(read)) {
    for (const [index, item] of given.entries()) compare(item, read[index], [...path, `${index}`], found);
  } else if (isJsonObject(given) && isJsonObject(read)) {
    for (const [name, value] of Object.entries(given)) {
      if (Object.hasOwn(read, name)) compare(value, read[name], [...path, name], found);
      else if (value !== null) note([...path, name.slice(0, maxNameLength)], value, found);
    }
  }
}

function note(path: readonly string[], value: unknown, found: Found): void {
  const kind = path.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.');
  const known = found.kinds.get(kind);
  if (known) known.count += 1;
  else if (found.kinds.size === maxKinds) found.others += 1;
  else found.kinds.set(kind, { param: path.join('.'), before: sizeOf(value), count: 1 });
}
