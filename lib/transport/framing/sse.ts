/**
 * Server-sent events to frames. The grammar is the parser library's; this file adds UTF-8, the end of input and a bound.
 */
import { createParser } from 'eventsource-parser';
import { GatewayError } from '../../core/errors.ts';
import type { Frame, FrameReader } from '../../core/generation/protocol.ts';

/** The largest event that is waited for, in characters: an image in base64 fits. */
export const maxEventCharacters = 16 * 1024 * 1024;

/** Throws `upstream_invalid_answer` for an event above the bound. */
export function createServerSentEventReader(): FrameReader {
  const decoder = new TextDecoder();
  let frames: Frame[] = [];
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ event = '', data }) => frames.push({ event, data }),
    onError: ({ type }) => {
      // Anything else is a field that nobody here needs.
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
      );
    return frames;
  };
  return {
    read: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    // Some servers leave out the blank line after their last event.
    end: () => feed(`${decoder.decode()}\n\n`),
  };
}
