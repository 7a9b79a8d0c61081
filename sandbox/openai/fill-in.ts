/**
 * Requests that fill in between two texts, as Mistral documents them for Codestral: prompt and suffix, few parameters, and no
 * messages. Source: docs.mistral.ai, API reference, "FIM".
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { textOf, unknownKey } from '../json.ts';
import { refuse, refuseMissing, refuseUnknown } from './refuse.ts';

const known = new Set(
  'model temperature top_p max_tokens min_tokens stream stop random_seed metadata prompt suffix'.split(' '),
);

/** The chat request that is answered in its place. Refuses what the endpoint does not take. */
export function toChat(body: JsonObject): JsonObject {
  const unknown = unknownKey(body, known);
  if (unknown !== undefined) refuseUnknown(unknown);
  if (typeof body.prompt !== 'string') refuseMissing('prompt');
  if (!textOf(body.model).startsWith('codestral'))
    refuse('Invalid model: it has no fill-in-the-middle.', 'model');
  const { prompt, suffix, ...fields } = body;
  const content = `${textOf(prompt)}<gap>${textOf(suffix)}`;
  return { ...fields, messages: [{ role: 'user', content }] };
}
