/**
 * A Gemini thought signature beside its tool call, as in Google's own OpenAI-compatible API. Clients that send back calls
 * but no `reasoning_details` still send the signature.
 */

import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { ReasoningDetail } from '../../core/generation/request.ts';

type Signed = { readonly thought_signature?: string | null | undefined } | null | undefined;

/** A call, or a message, with what clients send back beside it. */
interface WithExtras {
  readonly extra_content?: { readonly google?: Signed } | null | undefined;
  readonly provider_specific_fields?: Signed;
}

interface Calls extends WithExtras {
  readonly tool_calls?: readonly (WithExtras & { readonly id: string })[] | null | undefined;
}

/**
 * The details, and signatures that only the calls have, or only the message: that one belongs to its text. A signature that is in
 * several places is used once.
 */
export function withSignatures(
  details: readonly ReasoningDetail[],
  message: Calls,
): readonly ReasoningDetail[] {
  const known = new Set(details.flatMap(({ id, format }) => (format === geminiFormat && id ? [id] : [])));
  const ofCalls = (message.tool_calls ?? []).flatMap(({ id, ...call }) => {
    const data = signatureOf(call);
    return data && !known.has(id) ? [{ id, data }] : [];
  });
  const own = signatureOf(message);
  const isKnown = [...details, ...ofCalls].some((detail) => 'data' in detail && detail.data === own);
  const more = own && !isKnown ? [...ofCalls, { data: own }] : ofCalls;
  const type = 'reasoning.encrypted' as const;
  const first = details.length;
  return [
    ...details,
    ...more.map((signature, index) => ({ type, ...signature, format: geminiFormat, index: first + index })),
  ];
}

function signatureOf({ extra_content, provider_specific_fields }: WithExtras): string | undefined {
  const { google } = extra_content ?? {};
  return google?.thought_signature ?? provider_specific_fields?.thought_signature ?? undefined;
}

/** The extra field of a call whose signature this detail is. */
export function writeSignatureOfCall(detail: ReasoningDetail | undefined): object {
  if (detail?.type !== 'reasoning.encrypted' || detail.format !== geminiFormat) return {};
  return { extra_content: { google: { thought_signature: detail.data } } };
}
