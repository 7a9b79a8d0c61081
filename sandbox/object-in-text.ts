import type { JsonObject } from '../lib/core/generation/request.ts';
import { isObject } from './json.ts';

/** The JSON object that a text begins with: undefined where it begins with something else. */
export function objectAtStart(written: string): JsonObject | 'broken' | undefined {
  if (!written.startsWith('{')) return undefined;
  // Some agents put the user's words into quotes, and a backslash before each quote in them.
  const text = written.startsWith('{\\"') ? written.replaceAll('\\"', '"') : written;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return parse(text.slice(0, index + 1));
  }
  return 'broken';
}

function parse(text: string): JsonObject | 'broken' {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : 'broken';
  } catch {
    return 'broken';
  }
}
