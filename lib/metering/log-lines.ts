/** The log lines from which the ledger can be restored. They hold the fields of a record and nothing more. */

import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { readLedgerRecord } from '../core/accounting/ledger-record.ts';
import { isJsonObject } from '../core/json-object.ts';

/** A record, or its addition to the counters, that could not be written. */
export const lossMessage = 'usage record lost';

/** A request that is about to be sent to a provider. */
export const openedMessage = 'usage opened';

export interface Loss {
  /** Which write failed. */
  readonly missing: 'record' | 'counter';
}

export interface LoggedRecord {
  readonly kind: 'lost' | 'opened';
  readonly record: LedgerRecord;
}

/** The record of a line, which may have a prefix before its JSON; undefined if it holds none. */
export function readLogLine(line: string): LoggedRecord | undefined {
  if (!line.includes(lossMessage) && !line.includes(openedMessage)) return undefined;
  const { message, record } = parse(line.slice(Math.max(0, line.indexOf('{'))));
  const read = readLedgerRecord(record);
  if (!read || (message !== lossMessage && message !== openedMessage)) return undefined;
  return { kind: message === lossMessage ? 'lost' : 'opened', record: read };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
