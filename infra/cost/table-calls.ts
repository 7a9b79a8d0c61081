/**
 * The calls of one request to the tables, and their units. `test/cost/real-calls.test.ts` compares them with the calls of
 * a running gateway.
 */
import * as sizes from './sizes.ts';
import { cacheSeconds, concurrentRequests, operations, readShare, type Traffic } from './traffic.ts';

export interface TableCall {
  readonly table: 'access' | 'catalog' | 'state' | 'usage';
  readonly action: 'GetItem' | 'PutItem' | 'UpdateItem' | 'Scan';
  readonly what: string;
  /** Average number of calls for one request. */
  readonly times: number;
  /** Write or read units of each call. */
  readonly units: number;
}

export const isWrite = ({ action }: Pick<TableCall, 'action'>): boolean =>
  action === 'PutItem' || action === 'UpdateItem';

const writes = (bytes: number) => Math.ceil(bytes / sizes.writeUnit);

/** An eventually consistent read costs half. */
const reads = (bytes: number, { consistent = false } = {}) =>
  Math.ceil(bytes / sizes.readUnit) * (consistent ? 1 : 0.5);

export function tableCalls(traffic: Traffic): readonly TableCall[] {
  if (!operations[traffic.operation].callsModels) return [listing(traffic), names(traffic)];
  return [...lookups(traffic), ...limitCalls(traffic), ...records(traffic), ...storedCalls(traffic)].filter(
    ({ times }) => times > 0,
  );
}

const listing = (traffic: Traffic): TableCall => ({
  table: 'catalog',
  action: 'Scan',
  what: 'all models',
  times: readShare(traffic, cacheSeconds.catalog, 1),
  units: reads(sizes.catalogTable),
});

/** Of the models that ship with the gateway, and of the operator's. */
const names = (traffic: Traffic): TableCall => ({
  table: 'catalog',
  action: 'GetItem',
  what: 'names',
  times: 2 * readShare(traffic, cacheSeconds.catalog, 1),
  units: reads(sizes.namesItem),
});

function lookups(traffic: Traffic): readonly TableCall[] {
  const { keys, tenants, models } = traffic;
  const get = (table: 'access' | 'catalog', what: string, kinds: number): TableCall => ({
    table,
    action: 'GetItem',
    what,
    times: readShare(traffic, cacheSeconds[table], kinds),
    units: reads(sizes.smallItem),
  });
  return [get('access', 'key', keys), get('access', 'tenant', tenants), get('catalog', 'model', models)];
}

/** The number of limited scopes of each kind. */
function limitedScopes({ limits, keys, tenants }: Traffic): readonly (readonly [string, number])[] {
  const key = ['key', keys] as const;
  return { none: [], key: [key], 'key+tenant': [key, ['tenant', tenants] as const] }[limits];
}

/** Every write is charged for the whole item, which has a reservation for each running request. */
export const limitItemBytes = (traffic: Traffic, scopes: number): number =>
  sizes.limitItem + sizes.openReservation * (1 + concurrentRequests(traffic) / scopes);

function limitCalls(traffic: Traffic): readonly TableCall[] {
  return limitedScopes(traffic).flatMap(([kind, scopes]) => {
    const bytes = limitItemBytes(traffic, scopes);
    const update = { table: 'usage', action: 'UpdateItem', units: writes(bytes) } as const;
    // The first write of a minute finds an item of the previous minute: it fails, reads, and writes again.
    const turns = Math.min(1, scopes / (traffic.rps * 60));
    return [
      { ...update, what: `limits of the ${kind}: reserve`, times: 1 },
      { ...update, what: `limits of the ${kind}: finalize`, times: 1 },
      { ...update, what: `limits of the ${kind}: a new minute`, times: turns },
      {
        table: 'usage',
        action: 'GetItem',
        what: `limits of the ${kind}: a new minute`,
        times: turns,
        units: reads(bytes, { consistent: true }),
      },
    ] as const;
  });
}

function records(traffic: Traffic): readonly TableCall[] {
  const once = { times: 1, units: writes(sizes.ledgerRecord) };
  return [
    { table: 'usage', action: 'PutItem', what: 'ledger', ...once },
    {
      table: 'usage',
      action: 'UpdateItem',
      what: 'totals of the day',
      times: 1,
      units: writes(sizes.counter),
    },
    {
      table: 'access',
      action: 'UpdateItem',
      what: 'last use of the key',
      times: readShare(traffic, cacheSeconds.keyUse, traffic.keys),
      units: writes(sizes.smallItem),
    },
  ];
}

/** A response is stored in pieces. */
function storedCalls({ store, followUp, storedBytes }: Traffic): readonly TableCall[] {
  const pieces = Math.max(1, Math.ceil(storedBytes / sizes.storedPiece));
  const bytes = storedBytes / pieces + sizes.storedHead;
  const units = { write: writes(bytes), read: reads(bytes, { consistent: true }) };
  const stored = { table: 'state', what: 'stored response' } as const;
  return [
    { ...stored, action: 'PutItem', times: store ? pieces : 0, units: units.write },
    { ...stored, action: 'GetItem', times: followUp ? pieces : 0, units: units.read },
  ];
}
