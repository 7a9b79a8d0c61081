/**
 * A Gemini thought signature in the second place where clients look for it: beside its tool call, as Google's own
 * OpenAI-shaped interface has it. Clients that keep calls but no `reasoning_details` can so still send it back.
 */

import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { ReasoningDetail } from '../../core/generation/request.ts';

interface CallWithExtras {
  readonly id: string;
  readonly extra_content?:
    | { readonly google?: { readonly thought_signature?: string | null | undefined } | null | undefined }
    | null
    | undefined;
}

/** The details, and the signatures that only the calls hold. A call whose signature is told twice has it once. */
export function withSignaturesOfCalls(
  details: readonly ReasoningDetail[],
  calls: readonly CallWithExtras[],
): readonly ReasoningDetail[] {
  const known = new Set(details.flatMap(({ id, format }) => (format === geminiFormat && id ? [id] : [])));
  const more = calls.flatMap(({ id, extra_content }) => {
    const data = extra_content?.google?.thought_signature;
    return data && !known.has(id) ? [{ id, data }] : [];
  });
  const type = 'reasoning.encrypted' as const;
  const first = details.length;
  return [
    ...details,
    ...more.map(({ id, data }, place) => ({ type, data, format: geminiFormat, index: first + place, id })),
  ];
}

/** What a call carries beside its function, when this detail is its signature. */
export function writeSignatureOfCall(detail: ReasoningDetail | undefined): object {
  if (detail?.type !== 'reasoning.encrypted' || detail.format !== geminiFormat) return {};
  return { extra_content: { google: { thought_signature: detail.data } } };
}
