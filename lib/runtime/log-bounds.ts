/** The bounds of a log line, whatever a part of the gateway hands over: a caller or a provider decides how long some texts are. */

/** Characters of a text in a line; the rest is cut off. */
export const maxLogText = 256;

/** Entries of a list or members of an object in a line; the rest is left out. */
export const maxLogItems = 100;

/** Bytes of a line. Fields that would pass it are left out, and `left_out` names them. */
export const maxLogLine = 8_192;

/** What the logger adds by itself: level, message, time, service, trace id, and the names of what is left out. */
const reservedBytes = 1_024;

/** Levels of lists and objects within a field. */
const maxDepth = 6;

type Fields = Readonly<Record<string, unknown>>;

/** The line of what every line has, and of fields, of which none may replace those. Empty fields are left out. */
export const withinBounds = (head: Fields, fields: Fields): Fields =>
  isWithinBounds(head, fields) ? { ...head, ...fields } : bounded(head, fields);

/** Whether nothing has to be left out or cut, as of nearly all lines. JSON has no undefined members. */
function isWithinBounds(head: Fields, fields: Fields): boolean {
  let most = 0;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined) continue;
    if (!(isShort(value) || isShortList(value)) || value === '' || name in head) return false;
    most += mostBytes(name) + mostBytes(value);
  }
  return most <= maxLogLine - reservedBytes;
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= maxLogText
    : typeof value === 'number' || typeof value === 'boolean';

const isShortList = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= maxLogItems && value.every(isShort);

function bounded(head: Fields, fields: Fields): Fields {
  const line: Record<string, unknown> = { ...head };
  let most = 0;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined || value === null || value === '' || name in head) continue;
    const short = shorten(value, 0);
    if (short === undefined) continue;
    line[name] = short;
    most += mostBytes(name) + mostBytes(short);
  }
  return most <= maxLogLine - reservedBytes ? line : withinLine(head, line);
}

/** Of a value as JSON, with what separates it from the next: at most six for a character, and fewer than 25 for a number. */
function mostBytes(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  return typeof value === 'object' ? Buffer.byteLength(JSON.stringify(value)) + 1 : 26;
}

/** The same, counted exactly: what does not fit is left out, and named. */
function withinLine(head: Fields, line: Fields): Fields {
  const kept: Record<string, unknown> = { ...head };
  const leftOut: string[] = [];
  let left = maxLogLine - reservedBytes;
  for (const [name, value] of Object.entries(line)) {
    if (name in head) continue;
    const bytes = Buffer.byteLength(`${JSON.stringify(name)}:${JSON.stringify(value)},`);
    if (bytes <= left) kept[name] = value;
    else leftOut.push(name);
    left -= bytes <= left ? bytes : 0;
  }
  return leftOut.length > 0 ? { ...kept, left_out: shorten(leftOut.slice(0, 10), 0) } : kept;
}

export function shortText(text: string): string {
  return text.length > maxLogText ? text.slice(0, maxLogText).toWellFormed() : text;
}

/** Undefined for what JSON has no form for. */
function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortText(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object' || depth === maxDepth) return undefined;
  if (Array.isArray(value))
    return value.slice(0, maxLogItems).map((item) => shorten(item, depth + 1) ?? null);
  const members = Object.entries(value).slice(0, maxLogItems);
  return Object.fromEntries(members.map(([name, item]) => [shortText(name), shorten(item, depth + 1)]));
}
