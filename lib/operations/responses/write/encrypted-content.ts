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
  if (!text.startsWith(prefix)) return undefined;
  const json = Buffer.from(text.slice(prefix.length), 'base64url').toString();
  return z.safeParse(encodedDetails, parseJson(json)).data;
}
