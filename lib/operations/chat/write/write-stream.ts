/** Writes a chat answer as chunks: those of its choices, then usage if requested, then `[DONE]`. */

import type { Transform } from '../../../async/pipe.ts';
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { GatewayError } from '../../../core/errors/errors.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import type { Usage } from '../../../core/generation/usage.ts';
import { type CostInUsage, withCost } from '../../answer-facts.ts';
import { oneMessage } from '../read/one-message.ts';
import { type ChoiceEvent, deltaWriter, type WrittenChoice } from './delta.ts';
import { type ChatIdentity, writeMeta, writeUsage } from './write.ts';

interface ChatStreamOptions {
  readonly identity: ChatIdentity;
  readonly includeUsage: boolean;
  readonly cost?: CostInUsage;
  /** What it returns at the end is added to the last chunk. */
  readonly debug: () => object | undefined;
}

export const chatStream = (options: ChatStreamOptions) =>
  chunkStream({ ...options, object: 'chat.completion.chunk', write: deltaWriter() });

interface ChunkStreamOptions extends ChatStreamOptions {
  /** The type of a chunk. */
  readonly object: string;
  /** Converts an event to choices, each for a chunk of its own. */
  readonly write: (event: ChoiceEvent) => readonly WrittenChoice[];
}

/** What the streams of chat and of text completions share. */
export function chunkStream({
  object,
  write,
  identity,
  includeUsage,
  cost,
  debug,
}: ChunkStreamOptions): Transform<readonly GenerationEvent[], PublicEvent> {
  const { id, created, model } = identity;
  const join = oneMessage();
  // All chunks of an answer begin in the same way, so this is serialized once.
  const begin = (meta: object) => JSON.stringify({ id, object, created, model, ...meta }).slice(0, -1);
  let head = begin({});
  let usage: Usage | undefined;
  let moderated: object | undefined;
  // The last chunk has `debug`, so a finish is held until it is known whether it is the last.
  let held = '';
  const chunk = (choice: string, more?: object): PublicEvent => {
    const rest = more ? `,${JSON.stringify(more).slice(1)}` : '}';
    return { data: `${head},"choices":[${choice}]${rest}` };
  };
  const writeChoice = ({ json, isLast }: WrittenChoice, out: PublicEvent[]) => {
    if (held !== '') out.push(chunk(held));
    held = isLast ? json : '';
    if (!isLast) out.push(chunk(json));
  };
  return {
    each(events, out) {
      for (const given of events) {
        const event = join(given);
        if (event?.type === 'start') head = begin(writeMeta(event));
        else if (event?.type === 'usage') usage = event.usage;
        else if (event) for (const choice of write(event)) writeChoice(choice, out);
        if (event?.type === 'finish' && event.moderation) moderated = { moderation: event.moderation };
      }
    },
    end(out) {
      const facts = debug();
      const last = facts && { debug: facts };
      if (held !== '') out.push(chunk(held, includeUsage ? undefined : last));
      if (moderated) out.push(chunk('', moderated));
      if (includeUsage)
        out.push(chunk('', { usage: usage ? withCost(writeUsage(usage), cost) : null, ...last }));
      out.push({ data: '[DONE]' });
    },
  };
}

/** One error event and nothing after it, so that no client takes a broken answer for a complete one. */
export function writeChatStreamError(error: GatewayError): readonly PublicEvent[] {
  return [{ data: error.toBody() }];
}
