/** Reads the record that an item of the ledger holds: what a process does that shows, adds up or repairs records. */
import type { LedgerItem } from '../../core/accounting/journal.ts';
import { readLedgerRecord } from '../../core/accounting/ledger-record.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { partitionKey, sortKey } from '../../core/tables.ts';
import { isLater } from '../dynamodb/schema-version.ts';
import type { StoredItem } from '../dynamodb/table.ts';
import { type Fields, holdNames, inheritedOf, zeroUsage } from './ledger-item.ts';

/** Undefined for an item that holds no valid record, or has a later schema version. Items without a state are of when there were only final records. */
export function readLedgerItem(item: StoredItem): LedgerItem | undefined {
  const { record, state } = item;
  if (!isJsonObject(record) || isLater(item)) return undefined;
  const read = readLedgerRecord(recordFrom({ ...keyFields(item), ...record }));
  return read && { state: state === 'open' ? 'open' : 'done', record: read };
}

/** What the key of an item says of its record. */
function keyFields({ [partitionKey]: partition, [sortKey]: sort }: StoredItem): object {
  const [, tenant] = String(partition).split('#');
  const [, time = '', requestId] = /^(.{24})#(.*)$/s.exec(String(sort)) ?? [];
  return { tenant, at: Date.parse(time), requestId };
}

function recordFrom(fields: Fields): object {
  const { attempts, holds } = fields;
  // Records of the old form have a number of attempts.
  if (!Array.isArray(attempts)) return withReadUsage(fields);
  const inherited = inheritedOf(fields);
  return {
    requestedModel: fields.model,
    charge: fields.cost,
    ...fields,
    attempts: attempts.map((attempt: Fields) => {
      const whole = { ...inherited, ...attempt };
      return withReadUsage({ charge: whole.cost, ...whole });
    }),
    ...(Array.isArray(holds) && { holds: holds.map(holdFrom) }),
  };
}

function withReadUsage({ rawUsage, usage, ...fields }: Fields): Fields {
  return {
    ...fields,
    ...(isJsonObject(usage) && { usage: { ...zeroUsage, ...usage } }),
    ...(typeof rawUsage === 'string' && { rawUsage: parse(rawUsage) }),
  };
}

/** Text that is not JSON stays as it is: no usage is a text, so the record is not valid. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function holdFrom(fields: unknown): unknown {
  if (!Array.isArray(fields)) return fields;
  const named = holdNames.map((name, index) => [name, fields[index]] as const);
  return { ...Object.fromEntries(named), ...fields[holdNames.length] };
}
