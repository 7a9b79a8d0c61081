/** A chat answer as chunks: those of its choices, then usage if it is asked for, then `[DONE]`. */

import type { Transform } from '../../async/pipe.ts';
import type { PublicEvent } from '../../core/endpoint.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { type ChunkChoice, deltaWriter } from './delta.ts';
import { type ChatIdentity, isToldElsewhere, writeMeta, writeUsage } from './write.ts';

export interface ChatStreamOptions {
  readonly identity: ChatIdentity;
  readonly includeUsage: boolean;
  /** Told as it is, in the last chunk. */
  readonly debug: object | undefined;
}

export function chatStream({
  identity,
  includeUsage,
  debug,
}: ChatStreamOptions): Transform<readonly GenerationEvent[], PublicEvent> {
  const { id, created, model } = identity;
  const write = deltaWriter();
  // All chunks of an answer begin alike, so that this is written once.
  const begin = (meta: object) =>
    JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...meta }).slice(0, -1);
  let head = begin({});
  let usage: Usage | undefined;
  // The last chunk carries `debug`, so a finish waits until it is known whether it is the last.
  let held: readonly ChunkChoice[] = [];
  const chunk = (choices: readonly ChunkChoice[], more?: object): PublicEvent => {
    const rest = more ? `,${JSON.stringify(more).slice(1)}` : '}';
    return { data: `${head},"choices":${JSON.stringify(choices)}${rest}` };
  };
  const tell = (choice: ChunkChoice, out: PublicEvent[]) => {
    if (held.length > 0) out.push(chunk(held));
    held = choice.finish_reason === null ? [] : [choice];
    if (held.length === 0) out.push(chunk([choice]));
  };
  return {
    each(events, out) {
      for (const event of events) {
        if (event.type === 'start') head = begin(writeMeta(event));
        else if (event.type === 'usage') usage = event.usage;
        else if (!isToldElsewhere(event)) for (const choice of write(event)) tell(choice, out);
      }
    },
    end(out) {
      const told = debug && { debug };
      if (held.length > 0) out.push(chunk(held, includeUsage ? undefined : told));
      if (includeUsage) out.push(chunk([], { usage: usage ? writeUsage(usage) : null, ...told }));
      out.push({ data: '[DONE]' });
    },
  };
}

/** One error event, and nothing after it: a reader must not take a broken answer for a whole one. */
export function writeChatStreamError(error: GatewayError): readonly PublicEvent[] {
  return [{ data: error.toBody() }];
}
