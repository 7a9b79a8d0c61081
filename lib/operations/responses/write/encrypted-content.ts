/**
 * The `encrypted_content` of a reasoning item: the reasoning details, encoded as one string. They come back byte for byte,
 * so that signatures stay valid, and with the format of their provider. The string is encoded, not encrypted.
 */
import * as z from 'zod/mini';
import { parseJson } from '../../../core/formats/parse-json.ts';
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import { encodedDetails } from '../../detail-schema.ts';

/** Distinguishes it from the providers' own content, which is base64 or JSON Web Encryption and starts differently. */
const prefix = 'mgw1_';

export function encodeReasoning(details: readonly ReasoningDetail[]): string {
  return prefix + Buffer.from(JSON.stringify(details)).toString('base64url');
}

/** Undefined for a string that `encodeReasoning` did not produce. */
export function decodeReasoning(text: string): readonly ReasoningDetail[] | undefined {
  return decoded(prefix, encodedDetails(), text);
}

function decoded<Schema extends z.core.$ZodType>(start: string, schema: Schema, text: string) {
  if (!text.startsWith(start)) return undefined;
  return z.safeParse(schema, parseJson(Buffer.from(text.slice(start.length), 'base64url').toString())).data;
}

/** The same of a compaction item that holds a summary by the model itself. */
const summaryPrefix = 'mgwc1_';

const encodedSummary = z.object({ summary: z.string() });

export function encodeSummary(summary: string): string {
  return summaryPrefix + Buffer.from(JSON.stringify({ summary })).toString('base64url');
}

/** Undefined for a string that `encodeSummary` did not produce. */
export function decodeSummary(text: string): string | undefined {
  return decoded(summaryPrefix, encodedSummary, text)?.summary;
}
