/**
 * What a reader leaves out of a body: fields that its schema does not have, at the places where it refuses none. They are found
 * by comparing the body with what the schema made of it.
 */
import { isJsonObject } from '../core/formats/json-object.ts';
import { sizeOf } from '../normalization/conversation/summarize.ts';
import { type Change, stripped } from '../normalization/rule.ts';

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
export function leftOutFields(
  given: unknown,
  read: unknown,
  reason = 'The gateway does not know this field.',
): readonly Change[] {
  const found: Found = { kinds: new Map(), others: 0 };
  compare(given, read, top, found);
  const changes = [...found.kinds.values()].map(({ param, before, count }) =>
    leftOut(param, before, `${reason}${alike(count - 1)}`),
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
  return stripped(param, before, reason);
}

/** Where a value stands. */
interface Place {
  readonly above?: Place;
  readonly name: string | number;
}

const top: Place = { name: '' };

const below = (above: Place, name: string | number): Place => ({ above, name });

const pathOf = ({ above, name }: Place): string => (above?.above ? `${pathOf(above)}.${name}` : `${name}`);

/** The same for all elements of a list. */
const kindOf = ({ above, name }: Place): string =>
  above ? `${kindOf(above)}.${typeof name === 'number' ? '*' : name}` : '';

function compare(given: unknown, read: unknown, place: Place, found: Found): void {
  if (given === read) return;
  if (Array.isArray(given) && Array.isArray(read)) {
    for (let index = 0; index < given.length; index += 1) {
      if (isCompared(given[index])) compare(given[index], read[index], below(place, index), found);
    }
  } else if (isJsonObject(given) && isJsonObject(read)) {
    for (const name of Object.keys(given)) {
      const value = given[name];
      if (!Object.hasOwn(read, name) || read[name] === undefined) note(place, name, value, found);
      else if (isCompared(value)) compare(value, read[name], below(place, name), found);
    }
  }
}

const isCompared = (value: unknown): boolean => typeof value === 'object' && value !== null;

function note(above: Place, name: string, value: unknown, found: Found): void {
  if (value === null) return;
  const place = below(above, name.slice(0, maxNameLength));
  const kind = kindOf(place);
  const known = found.kinds.get(kind);
  if (known) known.count += 1;
  else if (found.kinds.size === maxKinds) found.others += 1;
  else found.kinds.set(kind, { param: pathOf(place), before: sizeOf(value), count: 1 });
}
