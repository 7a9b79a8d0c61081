/**
 * Under which ids lines were asked for. A worker that is lost leaves records of lines whose answers it has not written: the next one finds
 * them by their ids, so that each line is charged once. An id is of its line, of the time of the last write of the job, and of how often
 * the line was asked for since: what began after that write is found, too.
 */

import { interrupted } from '../../core/accounting/interrupted.ts';
import type { LedgerItem } from '../../core/accounting/journal.ts';
import type { BatchJob, BatchRef } from '../../core/batches.ts';
import type { JsonObject } from '../../core/formats/json-object.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { lineRequestId } from '../../core/names/request-id.ts';

/** The time of an id, in Unix milliseconds, and which one of that time it is. */
type Asked = readonly [at: number, n: number];

interface Line {
  readonly n: number;
  /** In its job. */
  readonly place: number;
}

interface AskedLines {
  /** Begins to ask for a line. The id of its request. */
  begin(line: Line): string;
  /** The answer to a line is written with the next write of the job, or the line is asked for under another id. */
  end(line: Line): void;
  /** What the ledger has of a line that was asked for by a worker that was lost; undefined: nothing that counts. */
  findLost(line: Line): Promise<LedgerItem | undefined>;
  /** What is written of it now. `isLast`: this worker asks for no other line. */
  write(now: number, isLast?: boolean): JsonObject;
}

export function readAsked(
  batch: BatchRef,
  { upstream }: Pick<BatchJob, 'upstream'>,
  find: (requestId: string) => Promise<LedgerItem | undefined>,
): AskedLines {
  const { times: earlier, lines } = readWritten(upstream);
  const lost = new Map([...lines]);
  let time = 0;
  /** How often a line was asked for since. */
  let counts = new Map<number, number>();
  const idOf = ({ n }: Line, [at, attempt]: Asked) =>
    lineRequestId({ batch: batch.id, line: n, attempt }, at);

  /** From the first id of a time on, to the first one that has not failed. */
  const findFrom = async (line: Line, [at, first]: Asked): Promise<LedgerItem | undefined> => {
    for (let n = first; ; n += 1) {
      const found = await find(idOf(line, [at, n]));
      if (!found || isOpen(found) || found.record.status <= 299) return found;
    }
  };
  return {
    begin(line) {
      const n = counts.get(line.place) ?? 0;
      counts.set(line.place, n + 1);
      lines.set(line.place, [...(lines.get(line.place) ?? []), [time, n]]);
      return idOf(line, [time, n]);
    },
    end: ({ place }) => void lines.delete(place),
    async findLost(line) {
      const first = earlier.map((at): Asked => [at, 0]);
      const known = [...(lost.get(line.place) ?? []), ...first];
      const found = await Promise.all(known.map((asked) => findFrom(line, asked)));
      return found.find((item) => item && !isOpen(item)) ?? found.find(Boolean);
    },
    write(now, isLast = false) {
      time = now;
      counts = new Map();
      return { times: isLast ? earlier : [...earlier, now], lines: [...lines] };
    },
  };
}

/** Whether the answer to it, as soon as there is one, replaces the record. */
export const isOpen = ({ state, record }: LedgerItem): boolean =>
  state === 'open' || record.error === interrupted;

function readWritten(upstream: BatchJob['upstream']) {
  const { asked } = upstream ?? {};
  const { times = [], lines = [] } = isJsonObject(asked) ? asked : {};
  return {
    times: times as readonly number[],
    lines: new Map(lines as readonly (readonly [number, readonly Asked[]])[]),
  };
}
