/** Writes the two records of a request into the ledger: all that a function which calls models does with it. */
import { interrupted } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { expiryAttribute, partitionKey } from '../../core/tables.ts';
import { dayMs } from '../../core/time.ts';
import type { GroupPut } from '../dynamodb/group-put.ts';
import { type Condition, openTable, type TableOptions } from '../dynamodb/table.ts';
import { type RecordKey, recordKeys } from './keys.ts';
import { recordToFields } from './ledger-item.ts';

export interface LedgerWritesOptions extends TableOptions {
  /** The retention of ledger records, in days. */
  readonly ledgerDays?: number | undefined;
  /** Of a process that serves many requests; absent: each record is a call. */
  readonly groupPut?: GroupPut | undefined;
}

export const defaultLedgerDays = 90;

/** How long open records are kept: the aggregator looks for those without a final one. */
export const openLifetimeMs = 2 * dayMs;

/** As `UsageStore` has them, for a tenant whose partitions are known. */
export interface LedgerWrites {
  open(record: LedgerRecord, partitions: number): Promise<unknown>;
  record(record: LedgerRecord, write: string, partitions: number): Promise<'new' | 'known'>;
  /** The same at the key of its final record. */
  recordAt(key: RecordKey, record: LedgerRecord, write: string): Promise<'new' | 'known'>;
}

export function createLedgerWrites(options: LedgerWritesOptions): LedgerWrites {
  const { ledgerDays = defaultLedgerDays, groupPut } = options;
  const table = openTable(options);
  /**
   * Writing a record with others is tried once: its request has just ended, so that no other write is possible. A second try could come
   * after a correction of its cost.
   */
  const failed = new WeakSet<LedgerRecord>();
  const recordAt = async (key: RecordKey, record: LedgerRecord, write: string) =>
    (await table.put(key, doneFields(record, write, ledgerDays), replaceable(write))) ? 'new' : 'known';
  return {
    open(record, partitions) {
      const expires = Math.floor((record.at + record.totalMs + openLifetimeMs) / 1000);
      const fieldsOf = () => ({ record: recordToFields(record), state: 'open', [expiryAttribute]: expires });
      const { open } = recordKeys(record, partitions);
      return groupPut ? groupPut(open, fieldsOf) : table.put(open, fieldsOf());
    },
    async record(record, write, partitions) {
      const { done, open } = recordKeys(record, partitions);
      if (groupPut && !failed.has(record)) {
        try {
          await groupPut(done, () => doneFields(record, write, ledgerDays), open);
          return 'new';
        } catch {
          failed.add(record);
        }
      }
      return await recordAt(done, record, write);
    },
    recordAt,
  };
}

/** The attributes of a final record. */
export const doneFields = (record: LedgerRecord, write: string, days: number): object => ({
  record: recordToFields(record),
  state: 'done',
  write,
  [expiryAttribute]: Math.floor((record.at + days * dayMs) / 1000),
});

/** Earlier versions wrote the open record at the key of the final one. */
export const absentOrOpen: Condition = {
  expression: 'attribute_not_exists(#key) OR #state = :open',
  names: { '#key': partitionKey, '#state': 'state' },
  values: { ':open': 'open' },
};

/** The request's own end replaces what the aggregator wrote because it seemed interrupted. */
const replaceable = (write: string): Condition => ({
  expression: `${absentOrOpen.expression} OR #write = :write OR #record.#error = :interrupted`,
  names: { ...absentOrOpen.names, '#write': 'write', '#record': 'record', '#error': 'error' },
  values: { ...absentOrOpen.values, ':write': write, ':interrupted': interrupted },
});
