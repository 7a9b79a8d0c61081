/**
 * How records are written, and outlast a process that ends before the ledger has them. In an event function by the log: its disk ends
 * with the environment, and nothing goes on after an answer. A server chooses otherwise, before it creates the functions.
 */
import type { NoteRecord } from '../../core/ports/metering.ts';
import type { MeterOptions } from '../../metering/meter.ts';
import { openMessage } from '../../metering/records/log-messages.ts';
import type { GroupPut } from '../../stores/dynamodb/group-put.ts';
import type { TableOptions } from '../../stores/dynamodb/table.ts';
import type { Variables } from '../environment.ts';
import { writeLine } from '../log.ts';

interface LastingRecords extends Pick<MeterOptions, 'late'> {
  readonly note: NoteRecord;
  /** Resolves once what is noted is written, which requests wait for before they are sent; undefined if it is. Absent: it always is. */
  readonly written?: () => Promise<void> | undefined;
  /** Of a process that serves many requests at a time, whose records are written together. */
  readonly createGroupPut?: (options: TableOptions) => GroupPut;
}

/** The meter itself reports a final record that is late and is not written in the end. */
export const noteInLog: NoteRecord = (state, record) => {
  if (state === 'open') writeLine(openMessage, { request_id: record.requestId, record });
  return nothing;
};

const nothing = () => {};

const chosen = new WeakMap<Variables, LastingRecords>();

export const lastingRecords = (variables: Variables): LastingRecords =>
  chosen.get(variables) ?? { note: noteInLog };

export function chooseLastingRecords(variables: Variables, records: LastingRecords): void {
  chosen.set(variables, records);
}
