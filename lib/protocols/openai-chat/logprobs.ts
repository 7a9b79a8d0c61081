/** Log probabilities of tokens in the OpenAI chat protocol. */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent, TokenLogprob } from '../../core/generation/events.ts';
import { asText } from '../json.ts';
import type * as wire from './wire.ts';

export function onLogprobs(choice: number, source: unknown, events: GenerationEvent[]): void {
  if (source === undefined || source === null) return;
  const logprobs = asObject<wire.Logprobs>(source);
  const content = asArray(logprobs.content).map(readLogprob);
  const refusal = asArray(logprobs.refusal).map(readLogprob);
  if (content.length + refusal.length > 0) events.push({ type: 'logprobs', choice, content, refusal });
}

function readLogprob(value: unknown): TokenLogprob {
  const top = asArray(asObject<wire.TokenLogprob>(value).top_logprobs).map(readToken);
  return { ...readToken(value), top_logprobs: top };
}

const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

function readToken(value: unknown): { token: string; logprob: number; bytes: readonly number[] | null } {
  const { token, logprob, bytes } = asObject<wire.TokenLogprob>(value);
  return {
    token: asText(token),
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: Array.isArray(bytes) && bytes.every(isByte) ? bytes : null,
  };
}
