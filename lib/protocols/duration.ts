/**
 * Parses durations that providers write as text: `34.4s`, `1m12s`, `120ms`, or inside a sentence. In milliseconds.
 */

import { readLimit } from './provider-message.ts';

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const piece = /(\d{1,20}(?:\.\d{1,20})?)\s{0,9}(ms|h|m|s)/g;
const wholeDuration = /^(?:\d+(?:\.\d+)?\s*(?:ms|h|m|s))+$/;
const inSentence =
  /\b(?:try again|retry|wait)(?: in| after)? (\d[\d.]*) ?((?:ms|h|m|s)\b[\dhms.]*|[hms]\d[\dhms.]*|sec|min)/i;

/** The duration, or undefined if the text is not one. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 40 || !wholeDuration.test(trimmed)) return undefined;
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(piece)) total += Number(amount) * (units[unit ?? ''] ?? 0);
  return Math.ceil(total);
}

/** The wait that a message asks for ("Please try again in 7.66s"), or undefined if it asks for none. */
export function findWait(message: string): number | undefined {
  const found = inSentence.exec(message.slice(0, readLimit));
  if (found === null) return undefined;
  const [, amount = '', unit = ''] = found;
  const plain = unit.toLowerCase().replace('sec', 's').replace('min', 'm');
  return parseDuration(`${amount}${plain}`.replace(/\.$/, ''));
}
