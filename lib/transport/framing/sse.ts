/**
 * Reads server-sent events as frames. The grammar is the parser library's; this file adds UTF-8, the end of input and a limit.
 */

import { createParser } from 'eventsource-parser';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Frame, FrameReader } from '../../core/generation/original/protocol.ts';

/** The maximum length of an event, in characters. An image in base64 fits. */
export const maxEventCharacters = 16 * 1024 * 1024;

/** Throws `upstream_invalid_answer` for a larger event. */
export function createServerSentEventReader(): FrameReader {
  const decoder = new TextDecoder();
  let frames: Frame[] = [];
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ event = '', data }) => frames.push({ event, data }),
    onError: ({ type }) => {
      // All other errors are about fields that are not used here.
      if (type === 'max-buffer-size-exceeded') tooLarge = true;
    },
  });
  const feed = (text: string) => {
    frames = [];
    parser.feed(text);
    if (tooLarge)
      throw new GatewayError(
        'upstream_invalid_answer',
        'The provider sent a stream event that is too large.',
        { mayRetry: false },
      );
    return frames;
  };
  return {
    read: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    // Some servers omit the blank line after their last event.
    end: () => feed(`${decoder.decode()}\n\n`),
  };
}

/** The reader throws `upstream_invalid_answer` for invalid bytes, and `upstream_cut` if a binary frame is incomplete. */
export async function createFrameReader(framing: 'sse' | 'event-stream'): Promise<FrameReader> {
  if (framing === 'sse') return createServerSentEventReader();
  // Loaded with the first such stream: 22 KB that only Bedrock needs.
  const { createEventStreamReader } = await import('./event-stream.ts');
  return createEventStreamReader();
}
