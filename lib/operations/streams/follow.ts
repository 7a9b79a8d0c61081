/** The events of a stream that can be resumed: what its log has, and what comes while it is written. */
import { followBlocks } from '../../async/follow-blocks.ts';
import type { PublicEvent } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { ReadBlock } from '../../core/ports/event-log.ts';
import { streamEnd } from '../../core/ports/resumable-streams.ts';

interface NumberedEvent extends PublicEvent {
  readonly id: number;
}

interface FollowOptions {
  readonly read: ReadBlock;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Aborted when the reader has left, or its time is over: then the stream ends, and can be resumed again. */
  readonly signal: AbortSignal;
}

/** Without a sign for so long, the writer of a stream is gone. */
const goneMs = 60_000;

/** Throws GatewayError where the writer is gone. */
export async function* followStream({
  read,
  now,
  signal,
}: FollowOptions): AsyncGenerator<readonly NumberedEvent[]> {
  let aliveAt = now();
  const isOver = () => now() - aliveAt > goneMs;
  for await (const { text, at = aliveAt } of followBlocks({ read, isOver, signal })) {
    aliveAt = at;
    yield eventsOf(text);
    if (text.endsWith(streamEnd)) return;
  }
  if (!signal.aborted) throw new GatewayError('internal', gone);
}

const gone =
  'The rest of the stream was not kept: it was too large, or the process of the gateway that wrote it has ended.';

const format = /^id: (\d+)\n(?:event: ([^\n]+)\n)?data: (.*)$/s;

/** What is read is written again as the same bytes. Comments are left out. */
function eventsOf(text: string): readonly NumberedEvent[] {
  return text.split('\n\n').flatMap((written) => {
    const [, id, event, data] = format.exec(written) ?? [];
    return data === undefined ? [] : [{ id: Number(id), ...(event !== undefined && { event }), data }];
  });
}
