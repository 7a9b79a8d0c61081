/** The guardrails of what is not generated: texts to embed, prompts of images, input that is counted or made short. Only the input is looked at. */
import type { Call } from '../core/endpoint.ts';
import { appliedPolicies } from '../core/guardrails/applied.ts';
import type { Asked } from './generation/prepare.ts';
import type { AskedOfDetectors } from './guard/kept-by-detectors.ts';
import type { GuardedTexts, PathText } from './guard/path-texts.ts';
import type { PipelineParts } from './parts.ts';

interface AskedTexts extends AskedOfDetectors {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly dryRun?: boolean;
}

/** The request as it may be sent. Rejects with GatewayError for one that may not. */
export async function guardRequest(parts: PipelineParts, asked: Asked, call: Call<unknown>): Promise<Asked> {
  const references = appliedPolicies(call.key ?? {}, asked.guardrails);
  if (references.length === 0) return asked;
  const { guardedRequest } = await import('./guard/only-input.ts');
  return await guardedRequest(parts, { asked, call, references });
}

/** What stands for the caller's user: often an address. */
export const userOf = ({ user }: { readonly user?: string }): readonly PathText[] =>
  user === undefined ? [] : [{ text: user, path: 'user' }];

/** The same of texts alone; of a dry run, as far as no detector must be called to know that. */
export async function guardTexts(
  parts: PipelineParts,
  texts: readonly PathText[],
  call: Call<AskedTexts>,
): Promise<GuardedTexts> {
  const references = appliedPolicies(call.key ?? {}, call.input.guardrails);
  if (references.length === 0) return { texts: texts.map(({ text }) => text), changes: [] };
  const { guardedTexts } = await import('./guard/only-input.ts');
  return await guardedTexts(parts, texts, { call, references, onlyLocal: call.input.dryRun });
}
