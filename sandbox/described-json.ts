/**
 * Finds the form of an answer that a prompt describes: with a JSON Schema, an example whose values are placeholders, or
 * markers around fields.
 * A model follows such a description, and clients that rely on it could not read anything else.
 */
import type { JsonObject } from '../lib/core/generation/request.ts';
import { isObject, objectAtStart } from './json.ts';
import { sampleOf } from './schema-sample.ts';

/** As in `JSON Schema: {…}`, and in the words of clients: `this schema:`, a line break, and the schema, maybe fenced. */
const beforeSchema = /schema\b[^\n{:]{0,40}:\s+(?:```(?:json)?\s*)?(?=\{)/gi;

/** A value for the last schema in the text. */
export function followSchema(text: string): unknown {
  const schema = lastObject(text, beforeSchema);
  return schema === undefined ? undefined : sampleOf(schema);
}

/** A value for the last example in the text, such as `{"city": "{city}", "degrees": "{degrees} # a float"}`. */
export function followExample(text: string): JsonObject | undefined {
  const example = lastObject(text, /\n(?=\{\s*")/g, isExample);
  if (example === undefined) return undefined;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, fill(String(value))]));
}

function lastObject(
  text: string,
  before: RegExp,
  isMeant: (value: JsonObject) => boolean = isObject,
): JsonObject | undefined {
  const found = [...text.matchAll(before)].map((match) =>
    objectAtStart(text.slice(match.index + match[0].length)),
  );
  return found.filter((one) => isObject(one)).findLast(isMeant);
}

function isExample(value: JsonObject): boolean {
  const values = Object.values(value);
  return values.length > 0 && values.every((one) => typeof one === 'string' && /^\{\w+\}/.test(one));
}

/** A text for fields between markers, as in: begin with `[[ ## city ## ]]`, then `[[ ## degrees ## ]]` (a float). */
export function followMarkers(text: string): string | undefined {
  const fields = [...text.matchAll(/`(\[\[ ## (\w+) ## \]\])`( \([^)\n]{0,200}\))?/g)];
  if (fields.length === 0) return undefined;
  const written = fields.map(([, marker, name, type = '']) => {
    return name === 'completed' ? marker : `${marker}\n${JSON.stringify(fill(type)).replaceAll('"', '')}\n`;
  });
  return written.join('\n');
}

/** What follows the placeholder names the type. */
function fill(placeholder: string): unknown {
  if (/\b(float|int|integer|number)\b/i.test(placeholder)) return 1;
  if (/\b(bool|boolean)\b/i.test(placeholder)) return true;
  return /\b(list|array)\b/i.test(placeholder) ? [] : 'sandbox';
}
