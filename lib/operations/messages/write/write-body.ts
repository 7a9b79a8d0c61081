/** A message as one body: the events of the stream, folded as a client folds them, so that the two cannot differ. */
import type { Piped } from '../../../async/pipe.ts';
import type { JsonObject } from '../../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import { foldMessage } from './original-format.ts';
import { type MessagesAnswer, messagesStream } from './write-stream.ts';

export async function writeMessagesBody(
  events: Piped<GenerationEvent>,
  answer: MessagesAnswer,
): Promise<object> {
  const fold = foldMessage();
  for await (const list of events.pipe(messagesStream(answer)))
    for (const { data } of list) fold.add((typeof data === 'string' ? JSON.parse(data) : data) as JsonObject);
  return fold.message();
}
