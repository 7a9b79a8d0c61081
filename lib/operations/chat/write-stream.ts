/** Writes a chat answer as chunks: those of its choices, then usage if requested, then `[DONE]`. */

import type { Transform } from '../../async/pipe.ts';
import type { PublicEvent } from '../../core/endpoint.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { type ChunkChoice, deltaWriter } from './delta.ts';
import { oneMessage } from './one-message.ts';
import { type ChatIdentity, type CostInDollars, writeMeta, writeUsage } from './write.ts';

export interface ChatStreamOptions {
  readonly identity: ChatIdentity;
  readonly includeUsage: boolean;
  /** Absent: usage does not have it. */
  readonly cost?: CostInDollars | undefined;
  /** What it returns at the end is added to the last chunk. */
  readonly debug: () => object | undefined;
}

export function chatStream({
  identity,
  includeUsage,
  cost,
  debug,
}: ChatStreamOptions): Transform<readonly GenerationEvent[], PublicEvent> {
  const { id, created, model } = identity;
  const join = oneMessage();
  const write = deltaWriter();
  // All chunks of an answer begin in the same way, so this is serialized once.
  const begin = (meta: object) =>
    JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...meta }).slice(0, -1);
  let head = begin({});
  let usage: Usage | undefined;
  // The last chunk has `debug`, so a finish is held until it is known whether it is the last.
  let held: readonly ChunkChoice[] = [];
  const chunk = (choices: readonly ChunkChoice[], more?: object): PublicEvent => {
    const rest = more ? `,${JSON.stringify(more).slice(1)}` : '}';
    return { data: `${head},"choices":${JSON.stringify(choices)}${rest}` };
  };
  const writeChoice = (choice: ChunkChoice, out: PublicEvent[]) => {
    if (held.length > 0) out.push(chunk(held));
    held = choice.finish_reason === null ? [] : [choice];
    if (held.length === 0) out.push(chunk([choice]));
  };
  return {
    each(events, out) {
      for (const given of events) {
        const event = join(given);
        if (event?.type === 'start') head = begin(writeMeta(event));
        else if (event?.type === 'usage') usage = event.usage;
        else if (event) for (const choice of write(event)) writeChoice(choice, out);
      }
    },
    end(out) {
      const facts = debug();
      const last = facts && { debug: facts };
      if (held.length > 0) out.push(chunk(held, includeUsage ? undefined : last));
      if (includeUsage) out.push(chunk([], { usage: usage ? writeUsage(usage, cost) : null, ...last }));
      out.push({ data: '[DONE]' });
    },
  };
}

/** One error event and nothing after it, so that no client takes a broken answer for a complete one. */
export function writeChatStreamError(error: GatewayError): readonly PublicEvent[] {
  return [{ data: error.toBody() }];
}
