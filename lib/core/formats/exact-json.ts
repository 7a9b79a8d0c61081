/**
 * JSON whose numbers stay as they are written, also where JavaScript has no such number: ids above 2^53, decimals with more
 * digits. These become objects that only `JSON.stringify` reads. For what is passed on, not for what is understood.
 */

/** Newer than the types of the language. Source: ECMAScript proposal "JSON.parse source text access", part of Node 24. */
interface SourceJson {
  rawJSON(source: string): object;
  parse(
    text: string,
    revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const { rawJSON, parse } = JSON as unknown as SourceJson;

/** More digits than every number has that JavaScript holds exactly; also in texts, where it costs a little time. */
const mayBeInexact = /[[:,\s-]\d{16}|\d\.\d{15}|[[:,\s-][\d.]+[eE][+-]?\d{3}/;

/** `parsed`: the text as `JSON.parse` reads it. The same object where all of its numbers are exact. */
export function exactJson(text: string, parsed: unknown): unknown {
  return mayBeInexact.test(text) ? parse(text, exactNumber) : parsed;
}

/** JavaScript writes other numbers as short as they can be: `1.0` stays a number. */
function exactNumber(_name: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === String(value)) return value;
  const digits = source.replace(/[eE].*$|\D/g, '').length;
  return digits > 15 || !Number.isFinite(value) ? rawJSON(source) : value;
}
