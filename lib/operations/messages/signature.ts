/**
 * Signatures of the gateway's own: the reasoning of a model that is not Claude, encoded as the signature of a thinking block.
 * Clients of Anthropic's protocol return a signature unchanged, so what the provider needs back survives in it. It is
 * encoded, neither encrypted nor signed: what a caller could write into it, it can as well write into `reasoning_details`.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { claudeFormat } from '../../core/generation/reasoning-format.ts';
import type { ReasoningDetail } from '../../core/generation/request.ts';
import { encodedDetails } from '../detail-schema.ts';

/** Distinguishes it from the signatures of providers: these are base64, which has no full stop. */
const tag = 'mgw1.';

/** Of one that is returned. In characters. The longest known are the encrypted reasoning of one answer, below a million. */
export const maxSignatureLength = 2 * 1024 * 1024;

/** What a signature holds. */
interface Envelope {
  /** The model that reasoned, as the caller names it. */
  readonly model: string;
  /** The format of reasoning without details: only this provider takes its text back. */
  readonly format: string;
  /** Without positions: the place of the block is theirs. */
  readonly details: readonly ReasoningDetail[];
  /** Reasoning that no detail has and that the block does not show; absent: none. */
  readonly unseen?: string;
}

export function encodeDetails({ details, ...encoded }: Envelope): string {
  const unplaced = details.map(({ position: _, model: __, ...detail }) => detail);
  return tag + Buffer.from(JSON.stringify({ ...encoded, details: unplaced })).toString('base64url');
}

/** Whether the gateway wrote the signature, or a caller made it look so. */
export const isOwnSignature = (text: string): boolean => text.startsWith(tag);

/** Undefined for a text that is not ours, and for one of ours that was changed or is too long. */
export function openSignature(text: string): Envelope | undefined {
  if (!isOwnSignature(text) || text.length > maxSignatureLength) return undefined;
  const encoded = text.slice(tag.length);
  if (!/^[\w-]*$/.test(encoded)) return undefined;
  return z.safeParse(envelopeSchema(), parseJson(Buffer.from(encoded, 'base64url').toString())).data;
}

/** Claude's own reasoning is never encoded: it would reach Claude with a signature that Claude did not write. */
const others = () =>
  encodedDetails().check(z.refine((all) => all.every(({ format }) => format !== claudeFormat)));

const envelopeSchema = lazy(() =>
  z.object({
    model: z.string(),
    format: z.string(),
    unseen: z.exactOptional(z.string()),
    details: others(),
  }),
);
