/**
 * Requests that their callers sent in this protocol, and the events of their answers: both pass as they came.
 */
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { OriginalRequest } from '../../core/generation/original.ts';
import type { EncodedOriginal } from '../../core/generation/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';

/** What each part of an answer comes in. */
const ofContent: ReadonlySet<string> = new Set(['content_block_start', 'content_block_delta']);

/** The version that has every field of a request. The next one has none that it lacks. */
const usualVersion = '2023-06-01';

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
      'anthropic-version': isLater ? laterVersion : usualVersion,
      ...(betas && { 'anthropic-beta': betas }),
    },
  };
}

/** `text`: the event as it came; absent where its lines must be joined, or its type comes from outside. */
export function upstreamEvent(event: JsonObject, text = JSON.stringify(event)): GenerationEvent {
  const name = String(event.type);
  return { type: 'upstream', choice: 0, name, data: text, isContent: ofContent.has(name) };
}

/** A whole body. */
export const upstreamBody = (message: JsonObject): GenerationEvent => ({
  type: 'upstream',
  choice: 0,
  name: 'message',
  data: message,
  isContent: Array.isArray(message.content) && message.content.length > 0,
});
