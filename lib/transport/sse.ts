/**
 * Server-sent events to frames. The grammar is the parser library's; this file adds UTF-8, the end of input and a bound.
 */
import { createParser } from 'eventsource-parser';
import { GatewayError } from '../core/errors.ts';
import type { Frame } from '../core/protocol.ts';

/** The largest event that is waited for, in characters: an image in base64 fits. */
export const maxEventCharacters = 16 * 1024 * 1024;

/** The events of a stream. Throws `upstream_invalid_answer` for an event above the bound. */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const text = new TextDecoder();
  const feed = createFeed();
  for await (const chunk of body) {
    // For each piece of each answer: `yield*` takes twice the time of a loop here.
    for (const frame of feed(text.decode(chunk, { stream: true }))) yield frame;
  }
  // Some servers leave out the blank line after their last event.
  yield* feed(`${text.decode()}\n\n`);
}

/** Takes the next piece of text and gives the events that it completes. */
function createFeed(): (text: string) => readonly Frame[] {
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
  return (text) => {
    frames = [];
    parser.feed(text);
    if (tooLarge) throw new GatewayError('upstream_invalid_answer', 'An event of the provider is too large.');
    return frames;
  };
}
