/** The item of one ledger record, and the record that it holds. */
import type { LedgerItem } from '../../core/accounting/changes.ts';
import type { LedgerAttempt, LedgerRecord } from '../../core/accounting/ledger.ts';
import { readLedgerRecord } from '../../core/accounting/ledger-record.ts';
import type { StoredItem } from '../dynamodb/table.ts';

/** The usage reported by upstream is stored as JSON text: DynamoDB does not allow every number and name of JSON. */
export const attemptToFields = ({ rawUsage, ...attempt }: LedgerAttempt): object => ({
  ...attempt,
  ...(rawUsage && { rawUsage: JSON.stringify(rawUsage) }),
});

export const recordToFields = (record: LedgerRecord): object => ({
  ...record,
  attempts: record.attempts.map(attemptToFields),
});

/** Undefined for an item that holds no valid record. Items without a state are of when there were only final records. */
export function readLedgerItem({ record, state }: StoredItem): LedgerItem | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const read = readLedgerRecord(fromFields(record));
  return read && { state: state === 'open' ? 'open' : 'done', record: read };
}

function fromFields(fields: object): object {
  const { rawUsage, attempts, ...others }: { rawUsage?: unknown; attempts?: unknown } = fields;
  return {
    ...others,
    ...(attempts !== undefined && {
      attempts: Array.isArray(attempts) ? attempts.map(fromFields) : attempts,
    }),
    ...(typeof rawUsage === 'string' && { rawUsage: JSON.parse(rawUsage) }),
  };
}
