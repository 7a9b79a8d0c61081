/** The log lines from which the ledger can be restored. They hold the fields of a record and nothing more. */

import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { readLedgerRecord } from '../../core/accounting/ledger-record.ts';
import { asObject, isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { lossMessage, openMessage } from './log-messages.ts';

/** The lost record of a line; undefined if it holds none. */
export const readLogLine = (line: string): LedgerRecord | undefined => readRecord(line, lossMessage);

/** The open record of a line; undefined if it holds none. */
export const readOpenLine = (line: string): LedgerRecord | undefined => readRecord(line, openMessage);

/**
 * A line may have a prefix before its JSON. That of a Web Function may have ours as its message, as text or as JSON. Source:
 * aws/agent-toolkit-for-aws, aws-lambda-web-functions, observability.
 */
function readRecord(line: string, expected: string): LedgerRecord | undefined {
  if (!line.includes(expected)) return undefined;
  const outer = asObject(parseJson(line.slice(Math.max(0, line.indexOf('{')))));
  const { message, record } = inner(outer.message) ?? outer;
  return message === expected ? readLedgerRecord(record) : undefined;
}

function inner(message: unknown): JsonObject | undefined {
  if (isJsonObject(message)) return message;
  return typeof message === 'string' && message.startsWith('{') ? asObject(parseJson(message)) : undefined;
}
