/**
 * The list of alerts in the usage table, for 30 days: `alert-log` / `<time>#<id>`, and the same of a tenant in `alert-log#<tenant>`; and in
 * `alert-log#` / `providers` what the last look at the calls of providers has left.
 */
import * as z from 'zod/mini';
import { invalid } from '../../core/errors/invalid.ts';
import type { AlertLog } from '../../core/ports/alerts.ts';
import type { ProviderWatch, WatchStore } from '../../core/ports/provider-watch.ts';
import { expiryAttribute, sortKey } from '../../core/tables.ts';
import { dayMs, isoTime } from '../../core/time.ts';
import { type ItemKey, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

/** How long an alert is listed. */
const alertDays = 30;

interface AlertLogOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
}

const alertItem = z.object({
  id: z.string(),
  type: z.string(),
  tenant: z.exactOptional(z.string()),
  message: z.string(),
  since: z.number(),
  until: z.exactOptional(z.number()),
  delivered: z.exactOptional(z.boolean()),
});

const prefix = 'alert-log';

export function createAlertLog({ now, ...options }: AlertLogOptions): AlertLog {
  const table = openTable(options);
  const isListed = (item: StoredItem) => Number(item[expiryAttribute]) * 1000 > now();
  return {
    async write(alert) {
      const { id, since, tenant } = alert;
      const fields = { ...alert, [expiryAttribute]: Math.floor((since + alertDays * dayMs) / 1000) };
      const partitions = [prefix, ...(tenant === undefined ? [] : [`${prefix}#${tenant}`])];
      for (const partition of partitions) await table.put([partition, `${isoTime(since)}#${id}`], fields);
    },
    async list({ tenant, after = '~', limit }) {
      if (after !== '~' && !position.test(after))
        throw invalid('after', "must be the 'next_after' of the page before");
      const items = await table.query(tenant === undefined ? prefix : `${prefix}#${tenant}`, {
        from: '!',
        to: after,
        newestFirst: true,
        // Both ends of a range are included, and one more item shows that there is a next page.
        limit: limit + 2,
      });
      const found = items.filter((item) => String(item[sortKey]) < after && isListed(item));
      const page = found.slice(0, limit);
      const alerts = page.flatMap((item) => alertItem.safeParse(item).data ?? []);
      return { alerts, ...(found.length > limit && { next: String(page.at(-1)?.[sortKey]) }) };
    },
  };
}

/** A time with milliseconds, then an id. */
const position = /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z#[\w.-]{1,200}$/;

const watchItem = z.object({
  at: z.number(),
  calls: z.record(z.string(), z.object({ attempts: z.number(), failures: z.number() })),
  failing: z.record(z.string(), z.object({ since: z.number(), seenAt: z.number() })),
});

/** No tenant has an empty name. */
const watchKey: ItemKey = [`${prefix}#`, 'providers'];

export function createWatchStore({ now, ...options }: AlertLogOptions): WatchStore {
  const table = openTable(options);
  return {
    async start(pauseMs) {
      const time = now();
      const item = await table.update(
        watchKey,
        toItemUpdate({
          set: [[['lookedAt'], time]],
          where: [{ path: ['lookedAt'], absentOr: '<=', value: time - pauseMs }],
        }),
      );
      const nothing: ProviderWatch = { at: time, calls: {}, failing: {} };
      return item && (watchItem.safeParse(item).data ?? nothing);
    },
    async end({ at, calls, failing }) {
      const set = Object.entries({ at, calls, failing }).map(([name, value]) => [[name], value] as const);
      await table.update(watchKey, toItemUpdate({ set, where: [] }));
    },
  };
}
