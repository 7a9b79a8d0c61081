/** The dependencies of the dashboard's functions that show usage and requests. */
import { activeTenants } from '../../admin/requests/active-tenants.ts';
import { lazyFor } from '../../async/lazy.ts';
import { createKeyEdits, type KeyFilter } from '../../stores/access/key-edits.ts';
import type { StoredApiKey } from '../../stores/access/keys.ts';
import { createCachedReader } from '../../stores/cached-reader.ts';
import { createLimitStore } from '../../stores/limits/limits.ts';
import { createAggregateStore } from '../../stores/usage/aggregate.ts';
import { createAlertLog } from '../../stores/usage/alert-log.ts';
import { createLedgerSearch } from '../../stores/usage/ledger-search.ts';
import { defaultLedgerDays } from '../../stores/usage/ledger-writes.ts';
import { rememberPartitions } from '../../stores/usage/partitions.ts';
import { createSumsStore } from '../../stores/usage/read-sums.ts';
import { createRefusalStore } from '../../stores/usage/refusals.ts';
import { storedBackground } from '../background-runtime.ts';
import type { Variables } from '../environment.ts';
import { adminRuntime } from './admin-runtime.ts';

/** Lists of keys that a process remembers, and for how long: each reads the whole table of keys. */
const listSize = 100;
const listMs = 10_000;

/** Tenants whose newest requests say as of when the sums are, and how long they are remembered: to find them reads the sums of all. */
const maxLastActive = 10;
const activeMs = 300_000;

export const usageParts = lazyFor((variables: Variables) => {
  const runtime = adminRuntime(variables);
  const { foundation, tenants } = runtime;
  const { environment, now, table } = foundation;
  const ledgerDays = environment.GATEWAY_LEDGER_DAYS ?? defaultLedgerDays;
  const ledger = { ...table('usage'), now, ledgerDays, partitionsOf: rememberPartitions(tenants, now) };
  const keyEdits = createKeyEdits({ ...table('access'), now });
  const readList = createCachedReader<readonly StoredApiKey[]>({
    load: (filter) => keyEdits.list(JSON.parse(filter) as KeyFilter),
    now,
    freshMs: listMs,
    graceMs: 0,
    size: listSize,
  });
  const sums = createSumsStore(table('usage'));
  const readActive = createCachedReader({
    load: () => activeTenants(sums, now()),
    now,
    freshMs: activeMs,
    graceMs: activeMs,
    size: 1,
  });
  const { runs, release } = storedBackground(variables);
  return {
    now,
    ledgerDays,
    keys: { list: async (filter: KeyFilter) => (await readList(JSON.stringify(filter))) ?? [] },
    tenants,
    catalog: runtime.catalog,
    usage: runtime.usage,
    audit: runtime.audit,
    running: createAggregateStore(ledger),
    runs,
    release,
    limits: createLimitStore({ ...table('usage'), now }),
    search: createLedgerSearch(ledger),
    sums,
    lastActive: async () => (await readActive('all'))?.tenants.slice(0, maxLastActive) ?? [],
    alerts: createAlertLog({ ...table('usage'), now }),
    refusals: createRefusalStore({ ...table('usage'), now }),
  };
});
