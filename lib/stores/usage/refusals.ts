/**
 * Refused requests in the usage table: `refused#<tenant>#<month>` / `<time>#<request id>`. No sum is made of them, and they expire after a
 * month.
 */
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Refusal } from '../../core/accounting/refusal.ts';
import { timeOfRequest } from '../../core/names/request-id.ts';
import { expiryAttribute, sortKey } from '../../core/tables.ts';
import { dayMs, isoTime } from '../../core/time.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { monthsBetween } from './keys.ts';
import { recordToFields } from './ledger-item.ts';
import { readLedgerItem } from './read-ledger-item.ts';

const refusalDays = 30;

interface RefusalSpan {
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The position before which the page ends: of the last one of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface RefusalStore {
  put(refusal: Refusal): Promise<void>;
  find(tenant: string, requestId: string): Promise<Refusal | undefined>;
  /** The newest of a tenant, with their positions. */
  newest(tenant: string, span: RefusalSpan): Promise<readonly PlacedRefusal[]>;
}

export interface PlacedRefusal {
  readonly position: string;
  readonly refusal: Refusal;
}

const partitionOf = (tenant: string, month: string) => `refused#${tenant}#${month}`;

const positionOf = ({ at, requestId }: Pick<LedgerRecord, 'at' | 'requestId'>) =>
  `${isoTime(at)}#${requestId}`;

export function createRefusalStore({
  now,
  ...options
}: TableOptions & { readonly now: () => number }): RefusalStore {
  const table = openTable(options);
  const keyOf = (record: Pick<LedgerRecord, 'tenant' | 'at' | 'requestId'>) =>
    [partitionOf(record.tenant, isoTime(record.at).slice(0, 7)), positionOf(record)] as const;
  const isShown = ({ [expiryAttribute]: expires }: StoredItem) => Number(expires) > now() / 1_000;
  return {
    async put({ record, message, param, more }) {
      await table.put(keyOf(record), {
        record: recordToFields(record),
        message,
        ...(param !== undefined && { param }),
        more,
        [expiryAttribute]: Math.floor((record.at + refusalDays * dayMs) / 1_000),
      });
    },
    async find(tenant, requestId) {
      const at = timeOfRequest(requestId);
      const item = at === undefined ? undefined : await table.get(keyOf({ tenant, at, requestId }));
      return item && isShown(item) ? readRefusal(item) : undefined;
    },
    async newest(tenant, { from, to, before, limit }) {
      const found: PlacedRefusal[] = [];
      const first = isoTime(Math.max(from, now() - (refusalDays + 1) * dayMs));
      const last = before ?? isoTime(to);
      for (const month of monthsBetween(first.slice(0, 10), last.slice(0, 10)).toReversed()) {
        const range = {
          from: first,
          to: last,
          limit: limit + 1 - found.length,
          newestFirst: true,
          mayLag: true,
        };
        const items = await table.query(partitionOf(tenant, month), range);
        found.push(...items.filter((item) => isShown(item) && item[sortKey] !== before).flatMap(placed));
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },
  };
}

function placed(item: StoredItem): readonly PlacedRefusal[] {
  const refusal = readRefusal(item);
  return refusal ? [{ position: positionOf(refusal.record), refusal }] : [];
}

function readRefusal(item: StoredItem): Refusal | undefined {
  const { message, param, more } = item;
  const read = readLedgerItem(item);
  return (
    read && {
      record: read.record,
      message: String(message),
      ...(typeof param === 'string' && { param }),
      more: Number(more),
    }
  );
}
