/** Answers that are the same for every caller until an operator changes something. */
import { hash } from 'node:crypto';
import type { Answer } from '../core/endpoint.ts';

export type TaggedJson = Extract<Answer, { readonly type: 'tagged-json' }>;

/** `maxAgeSeconds`: how long a client, or a cache between, may use the answer without asking. */
export function taggedJson(body: object, maxAgeSeconds: number): TaggedJson {
  const text = JSON.stringify(body);
  const headers = { 'cache-control': `public, max-age=${maxAgeSeconds}` };
  return { type: 'tagged-json', text, tag: `"${hash('sha256', text, 'base64url')}"`, headers };
}
