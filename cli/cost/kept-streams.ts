/**
 * What a stream costs that its caller can resume: its events are kept in the state table, in a block for each half second and not for
 * each chunk. A background response has a worker besides, while its caller follows it.
 */

import { dayMs } from '../../lib/core/time.ts';
import { thirtyDaysMs } from '../../lib/stores/responses/responses.ts';
import * as sizes from './sizes.ts';
import type { TableCall } from './table-call.ts';
import type { Traffic } from './traffic.ts';

/** As `collectMs` of `lib/async/block-writer.ts`. */
const blocksPerSecond = 2;

/** As `signMs` of `lib/operations/responses/background/run-state.ts`. */
const signSeconds = 3;

/** One that finds a block, and one before that which finds none yet (`lib/async/follow-blocks.ts`). */
const looksPerBlock = 2;

const blocksOf = ({ chunks, duration }: Traffic): number =>
  Math.min(chunks, Math.ceil(duration * blocksPerSecond));

const blockBytes = (traffic: Traffic): number =>
  sizes.logBlock + (sizes.logChunk * traffic.chunks) / blocksOf(traffic);

/** Stored bytes of one stream, and the days that they are kept. */
export const keptBytes = (traffic: Traffic) =>
  traffic.stream === undefined || traffic.chunks === 0
    ? { bytes: 0, days: 0 }
    : {
        bytes: blocksOf(traffic) * (blockBytes(traffic) + sizes.itemOverhead),
        days: traffic.stream === 'resumable' ? 1 : thirtyDaysMs / dayMs,
      };

export function keptCalls(traffic: Traffic): readonly TableCall[] {
  const { stream, chunks, duration } = traffic;
  if (stream === undefined || chunks === 0) return [];
  const put = { table: 'state', action: 'PutItem' } as const;
  const update = { table: 'state', action: 'UpdateItem', units: 1 } as const;
  const read = { table: 'state', action: 'GetItem', units: 1 } as const;
  const blocks: TableCall = {
    ...put,
    what: 'blocks of the stream',
    times: blocksOf(traffic),
    units: Math.ceil(blockBytes(traffic) / sizes.writeUnit),
  };
  if (stream === 'resumable') return [{ ...put, what: 'head of the stream', times: 1, units: 1 }, blocks];
  const requestUnits = Math.ceil((traffic.requestBytes * sizes.compressedRequest) / sizes.writeUnit);
  return [
    { ...put, what: 'background: request', times: 1, units: Math.max(1, requestUnits) },
    { ...put, what: 'background: response and run', times: 2, units: 1 },
    { ...update, what: 'background: begin and end', times: 2 },
    { ...update, what: 'background: signs of the worker', times: Math.floor(duration / signSeconds) },
    blocks,
    { ...read, what: 'background: looks of the caller', times: looksPerBlock * blocksOf(traffic) },
    { ...read, what: 'background: state', times: 1 + Math.floor(duration / signSeconds) },
  ];
}
