/**
 * The `encrypted_content` of a compaction item that holds a summary by the model itself: a text, encoded so that callers hand
 * it back like a provider's own. It is encoded, not encrypted.
 */
import * as z from 'zod/mini';
import { parseJson } from '../../../core/formats/parse-json.ts';

/** Distinguishes it from the providers' own content. */
const prefix = 'mgwc1_';

const encoded = z.object({ summary: z.string() });

export function encodeSummary(summary: string): string {
  return prefix + Buffer.from(JSON.stringify({ summary })).toString('base64url');
}

/** Undefined for a string that `encodeSummary` did not produce. */
export function decodeSummary(text: string): string | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const json = Buffer.from(text.slice(prefix.length), 'base64url').toString();
  return z.safeParse(encoded, parseJson(json)).data?.summary;
}
