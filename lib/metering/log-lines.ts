/** The log lines from which the ledger can be restored. They hold the fields of a record and nothing more. */

import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { readLedgerRecord } from '../core/accounting/ledger-record.ts';
import { isJsonObject } from '../core/json-object.ts';

/** A record that could not be written. */
export const lossMessage = 'usage record lost';

/** The lost record of a line, which may have a prefix before its JSON; undefined if it holds none. */
export function readLogLine(line: string): LedgerRecord | undefined {
  if (!line.includes(lossMessage)) return undefined;
  const { message, record } = parse(line.slice(Math.max(0, line.indexOf('{'))));
  return message === lossMessage ? readLedgerRecord(record) : undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
