/**
 * Values in records: short ones unchanged, long ones as their size. Text of a conversation must not be repeated in a
 * record.
 */

const longestText = 100;
const maxItems = 20;

/** The value if it is a short text, another scalar or a short list of these; else only its size. */
export function summarize(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'string') return value.length <= longestText ? value : characters(value.length);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return count(Object.keys(value).length, 'field');
  const isShort =
    value.length <= maxItems && value.every((item) => typeof item !== 'object' || item === null);
  return isShort ? value.map(summarize) : count(value.length, 'item');
}

/** The size of a text, a list or an object; any other value itself. */
export function sizeOf(value: unknown): unknown {
  if (typeof value === 'string') return characters(value.length);
  if (Array.isArray(value)) return count(value.length, 'item');
  return typeof value === 'object' && value !== null ? count(Object.keys(value).length, 'field') : value;
}

export function characters(length: number): string {
  return count(length, 'character');
}

function count(many: number, noun: string): string {
  return `${many} ${noun}${many === 1 ? '' : 's'}`;
}
