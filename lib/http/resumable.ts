/**
 * Streams that can be resumed (`extra.resumable`): their events have numbers, and are kept while they are sent. The request goes on
 * when its caller has left, as one with an idempotency key. What cannot be kept takes nothing from the caller's own stream.
 */
import { createBlockWriter } from '../async/block-writer.ts';
import { pipe } from '../async/pipe.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { PublicEvent, StreamAnswer } from '../core/endpoint.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import { requireMayStore } from '../core/may-store.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { AppendBlock } from '../core/ports/event-log.ts';
import type { Log } from '../core/ports/log.ts';
import type { RequestMemory } from '../core/ports/memory.ts';
import { type CreateStream, streamEnd, streamSign, streamSignMs } from '../core/ports/resumable-streams.ts';
import { outliving } from './outliving.ts';
import type { HttpAnswer } from './respond.ts';
import { writeEvents } from './streamed-body.ts';

/** Characters of one stream. */
const maxStreamCharacters = 16 * 1024 * 1024;

/** Characters of one stream that wait until they are written. */
const maxWaiting = 4 * 1024 * 1024;

/** What a character takes that waits: itself twice, its bytes, and these compressed and encrypted. */
const bytesPerCharacter = 6;

/** How long a caller waits for the table: for the head of its stream, and for the end. */
const tableMs = 1_000;

interface ResumableOptions {
  /** Whose stream it is; absent: no policy holds. */
  readonly key?: ApiKey;
  readonly create: () => ReturnType<CreateStream>;
  readonly log: Pick<Log, 'warn'>;
  /** Absent: what waits is not counted. */
  readonly memory?: RequestMemory | undefined;
}

export interface Resumable {
  /** Makes the stream known, while a provider is asked. */
  begin(): void;
  /** The answer with its events numbered and kept; unchanged where it is no stream that can be kept. */
  keep(answer: StreamAnswer): Promise<StreamAnswer>;
  /** The same answer, read to its end whether or not its caller stays. */
  outlive(answer: HttpAnswer): HttpAnswer;
  /** Call when the last event was sent. Never rejects. */
  end(): Promise<void>;
}

/** Throws GatewayError `invalid_request` where a data policy forbids to keep it. */
export function startResumable({ key, create, log, memory }: ResumableOptions): Resumable {
  requireMayStore(key, 'extra.resumable');
  const warn = (cause: unknown) => log.warn('stream not kept', failureFields(cause));
  const late = () => void warn(new Error('The table did not answer in time.'));
  let creating: Promise<Awaited<ReturnType<CreateStream>> | undefined> | undefined;
  let events: KeptEvents | undefined;
  const begin = () => {
    creating ??= create().catch((cause: unknown) => void warn(cause));
    return creating;
  };
  return {
    begin,
    async keep(answer) {
      const created = await withTimeout(begin(), tableMs, late);
      if (!created) return answer;
      const kept = keepEvents(created.append, { warn, memory });
      events = kept;
      return {
        ...answer,
        headers: { ...answer.headers, 'x-stream-id': created.id },
        events: pipe(answer.events, {
          each(list, out: PublicEvent[]) {
            out.push(...kept.add(list));
          },
        }),
        onError: (error) => kept.add(answer.onError(error)),
      };
    },
    outlive: (answer) =>
      typeof answer.body === 'string' ? answer : { ...answer, body: outliving(answer.body) },
    async end() {
      if (events) await withTimeout(events.end(), tableMs, late);
    },
  };
}

interface KeptEvents {
  /** The events with their numbers. */
  add(events: readonly PublicEvent[]): readonly PublicEvent[];
  end(): Promise<void>;
}

interface KeepOptions {
  readonly warn: (cause: unknown) => void;
  readonly memory: RequestMemory | undefined;
}

function keepEvents(append: AppendBlock, { warn, memory }: KeepOptions): KeptEvents {
  let next = 0;
  let added = 0;
  let written = 0;
  /** Characters that the memory of the process has counted. */
  let counted = 0;
  const writer = createBlockWriter(async (n, text) => {
    const after = await append(n, text);
    written += text.length;
    return after;
  });
  const over = Promise.withResolvers<void>();
  writer.on('error', warn).on('close', over.resolve);
  const isTooMuch = () => {
    const waiting = added - written;
    const more = Math.max(0, waiting - counted);
    if (added > maxStreamCharacters || waiting > maxWaiting) return true;
    if (memory?.admit(more * bytesPerCharacter) === false) return true;
    counted += more;
    return false;
  };
  const write = (text: string) => {
    if (writer.destroyed) return;
    added += text.length;
    if (isTooMuch()) writer.destroy(new Error('The stream is too large to keep, or waits for too long.'));
    else writer.write(text);
  };
  // It shows readers that the writer is there, however long a provider takes.
  write(streamSign);
  const signs = setInterval(() => write(streamSign), streamSignMs);
  void over.promise.then(() => clearInterval(signs));
  return {
    add(events) {
      const numbered = events.map(({ event, data }) => ({
        id: next++,
        ...(event !== undefined && { event }),
        data: typeof data === 'string' ? data : JSON.stringify(data),
      }));
      write(writeEvents(numbered));
      return numbered;
    },
    end() {
      write(streamEnd);
      writer.end();
      return over.promise;
    },
  };
}
