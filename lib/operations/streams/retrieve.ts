/**
 * Reads a stream that can be resumed: `GET /v1/streams/{stream_id}`, the same bytes from an event on, and then what follows while it is
 * written.
 */
import * as z from 'zod/mini';
import type { Answer, Endpoint, PublicEvent, ReadHeader } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';
import type { FindStream } from '../../core/ports/resumable-streams.ts';
import { writeChatStreamError } from '../chat/write/write-stream.ts';
import { writeMessagesError } from '../messages/write/write-error.ts';
import { errorAt } from '../responses/write/only-error.ts';
import { followStream } from './follow.ts';

export const schema = z.object({
  stream_id: z.string(),
  starting_after: z.optional(queryIntegerBetween(0, Number.MAX_SAFE_INTEGER)),
});

interface Input {
  readonly id: string;
  /** The number of the last event that the reader has. */
  readonly after: number;
}

interface StreamParts {
  readonly findStream: FindStream;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export function retrieveStreamEndpoint({ findStream, now }: StreamParts): Endpoint<typeof schema, Input> {
  return {
    schema,
    read: ({ stream_id: id, starting_after }, _given, header) => ({
      id,
      after: lastEventId(header) ?? starting_after ?? -1,
    }),
    async answer({ input: { id, after }, key, requestId, signal }): Promise<Answer> {
      const stream = key && (await findStream({ tenant: key.tenant, id }));
      if (!stream) throw notFound(id);
      const { operation, read } = stream;
      let next = 0;
      async function* events(): AsyncGenerator<readonly PublicEvent[]> {
        try {
          for await (const list of followStream({ read, now, signal })) {
            next += list.length;
            yield list.filter((event) => event.id > after);
          }
        } catch (thrown) {
          // The stream goes on, and only its reading has failed: without an end, its reader reads on.
          if (thrown instanceof GatewayError || next === 0) throw thrown;
        }
      }
      const onError = (error: GatewayError) => {
        const failed = { error, requestId, position: next };
        return (errorsOf[operation] ?? errorsOfChat)(failed).map((event) => ({ ...event, id: next++ }));
      };
      return { type: 'stream', events: events(), onError };
    },
  };
}

/** What an EventSource has read. It sends it with the address that it began with, so it counts for more than the query. */
function lastEventId(header: ReadHeader = () => undefined): number | undefined {
  const id = header('last-event-id');
  if (id === undefined || /^\d{1,15}$/.test(id)) return id === undefined ? id : Number(id);
  throw invalid('Last-Event-ID', "must be the 'id' of an event, an integer from 0");
}

interface Failed {
  readonly error: GatewayError;
  readonly requestId: string;
  /** Of the first event of the error. */
  readonly position: number;
}

type WriteFailed = (failed: Failed) => readonly PublicEvent[];

const errorsOfChat: WriteFailed = ({ error }) => writeChatStreamError(error);

/** By the operations whose streams they end. */
const errorsOf: Readonly<Record<string, WriteFailed>> = {
  responses: ({ error, position }) => errorAt(error, position),
  messages: ({ error, requestId }) => writeMessagesError(error, requestId),
};

const notFound = (id: string) =>
  new GatewayError(
    'not_found',
    `No stream '${id.slice(0, 64)}' was found: it was not created with 'extra.resumable', or began more than 24 hours ago.`,
    { param: 'stream_id' },
  );
