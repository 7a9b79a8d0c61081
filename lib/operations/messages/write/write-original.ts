/**
 * Writes the answer of a target that speaks the Messages API itself: unchanged, but for the model's name, and what the caller
 * asked the gateway for.
 */
import type { Batched, Transform } from '../../../async/pipe.ts';
import type { PublicEvent } from '../../../core/endpoint.ts';
import { asObject, type JsonObject } from '../../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import { withCost } from '../../answer-facts.ts';
import { eventsOfMessage, foldMessage } from './original-format.ts';
import type { MessagesAnswer } from './write-stream.ts';

/** One event, as JSON text where it came so. */
interface Piece {
  readonly event: string;
  readonly data: string | JsonObject;
}

const parsed = ({ data }: Piece): JsonObject => (typeof data === 'string' ? JSON.parse(data) : data);

/** What is asked of the gateway is known at the end: the end of the answer waits for it. */
export function originalStream(answer: MessagesAnswer): Transform<readonly GenerationEvent[], PublicEvent> {
  let last: Piece[] = [];
  const take = (piece: Piece, out: PublicEvent[]) => {
    if (piece.event === 'message_delta') {
      out.push(...last);
      last = [piece];
    } else if (last.length > 0) last.push(piece);
    else out.push(piece.event === 'message_start' ? withModel(piece, answer) : piece);
  };
  return {
    each(events, out) {
      for (const event of events) {
        if (event.type !== 'upstream') continue;
        const { name, data } = event;
        if (typeof data === 'string') take({ event: name, data }, out);
        else for (const one of eventsOfMessage(data)) take({ event: one.type, data: one }, out);
      }
    },
    async end(out) {
      // Before the caller has it.
      for (const piece of last) {
        if (hasContainer(piece)) await noteContainer(asObject(parsed(piece).delta), answer);
      }
      out.push(...last.map((piece) => (piece.event === 'message_delta' ? withFacts(piece, answer) : piece)));
    },
  };
}

const hasContainer = ({ event, data }: Piece): boolean =>
  event === 'message_delta' && (typeof data !== 'string' || data.includes('"container"'));

/** `from`: what has it as a member. */
async function noteContainer(from: JsonObject, answer: MessagesAnswer): Promise<void> {
  const { id } = asObject(from.container);
  if (typeof id === 'string') await answer.noteContainer?.(id);
}

function withModel(piece: Piece, answer: MessagesAnswer): Piece {
  const { message, ...event } = parsed(piece);
  return { ...piece, data: { ...event, message: { ...asObject(message), ...identityOf(answer) } } };
}

/** An answer of the cache is another message than the one that it repeats. */
const identityOf = ({ id, model, isReplayed }: MessagesAnswer) => ({ ...(isReplayed && { id }), model });

function withFacts(piece: Piece, { cost, debug }: MessagesAnswer): Piece {
  const facts = debug();
  if (!facts && !cost) return piece;
  const event = parsed(piece);
  const usage = withCost(asObject(event.usage), cost);
  return { ...piece, data: { ...event, usage, ...(facts && { debug: facts }) } };
}

export async function originalBody(
  events: Batched<GenerationEvent>,
  answer: MessagesAnswer,
): Promise<object> {
  const { cost, debug } = answer;
  const fold = foldMessage();
  let whole: JsonObject | undefined;
  for await (const list of events) {
    for (const event of list) {
      if (event.type !== 'upstream') continue;
      if (typeof event.data === 'string') fold.add(JSON.parse(event.data));
      else whole = event.data;
    }
  }
  const message = whole ?? fold.message();
  await noteContainer(message, answer);
  const facts = debug();
  return {
    ...message,
    ...identityOf(answer),
    usage: withCost(asObject(message.usage), cost),
    ...(facts && { debug: facts }),
  };
}
