/**
 * Requests that their callers sent in this protocol, and the events of their answers: both pass as they came.
 */

import type { Target } from '../../core/catalog/model.ts';
import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { OriginalRequest } from '../../core/generation/original/original.ts';
import type { EncodedOriginal } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type * as wire from './wire.ts';

export function betasIn({ headers }: OriginalRequest): readonly string[] {
  const names = (headers['anthropic-beta'] ?? '').split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

/** The version that has every field of a request. The next one has none that it lacks. */
const defaultVersion = '2023-06-01';

/**
 * The one later version, for callers of it. It refuses the sampling parameters, whatever their values.
 * Source: "Versions" of the Claude API's documentation, 2026-10-21.
 */
const laterVersion = '2026-10-21';
const refusedLater = ['temperature', 'top_p', 'top_k'];

/** The body with the target's name of the model. */
export function encodeOriginal({ body, headers }: OriginalRequest, target: Target): EncodedOriginal {
  const { 'anthropic-beta': betas, 'anthropic-version': asked } = headers;
  const isLater = asked === laterVersion && refusedLater.every((name) => body[name] === undefined);
  return {
    body: { ...body, model: target.deployment.upstreamId },
    headers: {
      'anthropic-version': isLater ? laterVersion : defaultVersion,
      ...(betas && { 'anthropic-beta': betas }),
    },
  };
}

/** A type that can stand in the line of a stream that names the event. */
export const isEventName = (type: unknown): boolean =>
  typeof type === 'string' && /^[\w.-]{1,64}$/.test(type);

/** `data`: the event as one line. */
export const upstreamEvent = (event: JsonObject, data: string, hasContent: boolean): GenerationEvent => ({
  type: 'upstream',
  choice: 0,
  name: String(event.type),
  data,
  isContent: hasContent,
});

const begunEmpty: readonly unknown[] = ['text', 'thinking'];

/** Whether there is something in a block or a piece of one. Some hosts open an empty block long before they write into it. */
export function isContent({ type: event, content_block, delta }: JsonObject): boolean {
  const { type, ...members } = asObject<wire.Block | wire.Delta>(content_block ?? delta);
  if (event === 'content_block_start' && !begunEmpty.includes(type)) return true;
  if (event !== 'content_block_start' && event !== 'content_block_delta') return false;
  return Object.values(members).some((value) => value !== '' && value != null && !isEmptyList(value));
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A whole body. */
export const upstreamBody = (message: JsonObject): GenerationEvent => ({
  type: 'upstream',
  choice: 0,
  name: 'message',
  data: message,
  isContent: Array.isArray(message.content) && message.content.length > 0,
});
