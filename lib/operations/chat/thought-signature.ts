/**
 * A Gemini thought signature beside its tool call, as in Google's own OpenAI-compatible API. Clients that send back calls
 * but no `reasoning_details` still send the signature.
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

/** The details, and signatures that only the calls have. A signature that is in both is used once. */
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
    ...more.map(({ id, data }, index) => ({ type, data, format: geminiFormat, index: first + index, id })),
  ];
}

/** The extra field of a call whose signature this detail is. */
export function writeSignatureOfCall(detail: ReasoningDetail | undefined): object {
  if (detail?.type !== 'reasoning.encrypted' || detail.format !== geminiFormat) return {};
  return { extra_content: { google: { thought_signature: detail.data } } };
}
