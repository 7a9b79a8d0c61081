/**
 * Bounds of a body as JSON, whatever its operation: how many values it has, how deep they are nested, and how many entries one
 * object has. Few bytes are enough for very many values, each of which costs more than its bytes.
 */
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { parameterName } from '../parameter-name.ts';

/** Ten thousand messages with parts and calls have a fifth of it. */
export const maxJsonValues = 500_000;

/** Twice what OpenAI takes in one JSON schema. Source: OpenAI's guide to structured outputs, "Limitations on schema size". */
export const maxEntries = 10_000;

export const maxDepth = 100;

/** As many characters have no more values. */
const alwaysFew = maxJsonValues;

/** Before the text is parsed: it may ask for much more memory than it has bytes. @throws GatewayError 400 */
export function checkValues(text: string): void {
  if (text.length <= alwaysFew || countValues(text, maxJsonValues) <= maxJsonValues) return;
  throw new GatewayError('invalid_request', `The request body has more than ${maxJsonValues} JSON values.`);
}

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((character) => character.charCodeAt(0));

/** About how many values a JSON text has: one for each comma and each opening bracket outside strings. Stops above `max`. */
function countValues(text: string, max: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= max; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === bracket || code === brace) count += 1;
    else if (code === quote) at = endOfString(text, at + 1);
  }
  return count;
}

/** The position of the quote that ends a string; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start);
  if (first < 0) return text.length;
  if (text.charCodeAt(first - 1) !== backslash) return first;
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

interface Wrong {
  readonly message: string;
  readonly isDeep?: true;
  /** Of the value, the outermost name last. */
  readonly path: string[];
}

/** Rejects what later code should not have to handle, also a key that would set a prototype. @throws GatewayError 400 */
export function checkShape(body: object): void {
  const wrong = wrongIn(body, 1);
  if (!wrong) return;
  // A path of a hundred names says less than the field it begins in.
  const path = wrong.path.toReversed().slice(0, wrong.isDeep ? 1 : undefined);
  throw new GatewayError(
    'invalid_request',
    wrong.message,
    path.length === 0 ? {} : { param: parameterName(path) },
  );
}

function wrongIn(value: unknown, depth: number): Wrong | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) {
    const message = `The request body is nested deeper than ${maxDepth} levels.`;
    return { message, isDeep: true, path: [] };
  }
  return Array.isArray(value) ? wrongInArray(value, depth) : wrongInObject(value, depth);
}

function wrongInArray(items: readonly unknown[], depth: number): Wrong | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const wrong = wrongIn(items[index], depth + 1);
    if (wrong) return within(wrong, `${index}`);
  }
  return undefined;
}

function wrongInObject(object: object, depth: number): Wrong | undefined {
  if (!isJsonObject(object)) return undefined;
  const keys = Object.keys(object);
  if (keys.length > maxEntries) {
    return { message: `An object of the request body has more than ${maxEntries} entries.`, path: [] };
  }
  for (const key of keys) {
    if (key === '__proto__') return { message: "The key '__proto__' is not allowed.", path: [key] };
    const wrong = wrongIn(object[key], depth + 1);
    if (wrong) return within(wrong, key);
  }
  return undefined;
}

function within(wrong: Wrong, key: string): Wrong {
  wrong.path.push(key);
  return wrong;
}
