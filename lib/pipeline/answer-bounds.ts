/**
 * How large the answer of a provider may become. A stream has no length, and what a caller gets as one body is collected from
 * it: without a bound, one answer could take the memory of all requests.
 */
import { GatewayError } from '../core/errors/errors.ts';
import type { GenerationEvent } from '../core/generation/events.ts';
import type { RequestMemory } from '../core/ports/memory.ts';
import { keptFactor, takeForAnswer } from '../transport/answer-memory.ts';

/**
 * A whole body. In bytes. A million tokens are about four million characters; what makes bodies large are the log probabilities
 * of tokens with others beside them: OpenAI writes some 5 KB for each token with twenty.
 */
export const maxAnswerBytes = 64 * 1024 * 1024;

/** A stream as it comes: most of it are the same words around each piece. In bytes. */
const maxStreamBytes = 512 * 1024 * 1024;

/** What a stream holds: its texts, and the JSON of all else, such as 1.5 KB for a token with twenty others. In characters. */
const maxStreamContent = 64 * 1024 * 1024;

/** What an error may take to say why, before its status alone counts. */
export const maxFailureBytes = 256 * 1024;
export const maxFailureMs = 5_000;

/** What is kept of an item besides its own words. In characters. */
const perItem = 100;

export function createStreamBound() {
  let bytes = 0;
  let content = 0;
  return {
    /** Both throw `upstream_invalid_answer` when it is too much. */
    addBytes(count: number) {
      bytes += count;
      if (bytes > maxStreamBytes) throw tooLarge();
    },
    addEvent(event: GenerationEvent) {
      content += contentOf(event);
      if (content > maxStreamContent) throw tooLarge();
    },
  };
}

/** Another attempt would cost as much again, and be too large again. */
const tooLarge = () =>
  new GatewayError('upstream_invalid_answer', 'The provider returned a response that is too large.', {
    mayRetry: false,
  });

/** Counts an event of an answer whose whole is written at its end. @throws GatewayError if there is no memory for it. */
export const keepEvent = (memory: RequestMemory | undefined, event: GenerationEvent): void =>
  takeForAnswer({ memory }, contentOf(event), keptFactor);

/** What an event adds to what is held of its answer, in characters. */
function contentOf(event: GenerationEvent): number {
  switch (event.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
    case 'tool-arguments':
      return event.text.length;
    case 'upstream':
      return typeof event.data === 'string' ? event.data.length : 0;
    case 'start':
    case 'finish':
    case 'usage':
      return 0;
    default:
      return perItem + JSON.stringify(event).length;
  }
}
