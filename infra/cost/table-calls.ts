/**
 * The calls that one request makes to the tables, and what each comes to. The names are DynamoDB's actions on our
 * tables, as `test/cost/real-calls.test.ts` counts them on a gateway that runs.
 */
import * as sizes from './sizes.ts';
import { atATime, operations, readShare, remembered, type Traffic } from './traffic.ts';

export interface TableCall {
  readonly table: 'access' | 'catalog' | 'state' | 'usage';
  readonly action: 'GetItem' | 'PutItem' | 'UpdateItem' | 'Scan';
  readonly what: string;
  /** How often in one request, on average. */
  readonly times: number;
  /** Units of each: of a write, or of a read. */
  readonly units: number;
}

export const isWrite = ({ action }: Pick<TableCall, 'action'>): boolean =>
  action === 'PutItem' || action === 'UpdateItem';

const writes = (bytes: number) => Math.ceil(bytes / sizes.writeUnit);

/** Half the price where an older state may be seen. */
const reads = (bytes: number, { consistent = false } = {}) =>
  Math.ceil(bytes / sizes.readUnit) * (consistent ? 1 : 0.5);

export function tableCalls(traffic: Traffic): readonly TableCall[] {
  if (!operations[traffic.operation].callsModels) return [listing(traffic)];
  return [...lookups(traffic), ...limitCalls(traffic), ...records(traffic), ...keptCalls(traffic)].filter(
    ({ times }) => times > 0,
  );
}

const listing = (traffic: Traffic): TableCall => ({
  table: 'catalog',
  action: 'Scan',
  what: 'all models',
  times: readShare(traffic, remembered.catalog, 1),
  units: reads(sizes.catalogTable),
});

function lookups(traffic: Traffic): readonly TableCall[] {
  const { keys, tenants, models } = traffic;
  const get = (table: 'access' | 'catalog', what: string, kinds: number): TableCall => ({
    table,
    action: 'GetItem',
    what,
    times: readShare(traffic, remembered[table], kinds),
    units: reads(sizes.smallItem),
  });
  return [get('access', 'key', keys), get('access', 'tenant', tenants), get('catalog', 'model', models)];
}

/** How many scopes of each kind have limits. */
function limitedScopes({ limits, keys, tenants }: Traffic): readonly (readonly [string, number])[] {
  const key = ['key', keys] as const;
  return { none: [], key: [key], 'key+tenant': [key, ['tenant', tenants] as const] }[limits];
}

/** Every write counts the whole item, which holds a reservation for each request that is under way. */
export const limitItemBytes = (traffic: Traffic, scopes: number): number =>
  sizes.limitItem + sizes.openReservation * (1 + atATime(traffic) / scopes);

function limitCalls(traffic: Traffic): readonly TableCall[] {
  return limitedScopes(traffic).flatMap(([kind, scopes]) => {
    const bytes = limitItemBytes(traffic, scopes);
    const update = { table: 'usage', action: 'UpdateItem', units: writes(bytes) } as const;
    // The first of a minute meets an item of the last one: it is refused, reads, and writes anew.
    const turns = Math.min(1, scopes / (traffic.rps * 60));
    return [
      { ...update, what: `limits of the ${kind}: set aside`, times: 1 },
      { ...update, what: `limits of the ${kind}: settled`, times: 1 },
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
    { table: 'usage', action: 'UpdateItem', what: 'sums of the day', times: 1, units: writes(sizes.counter) },
    {
      table: 'access',
      action: 'UpdateItem',
      what: 'when the key was used',
      times: readShare(traffic, remembered.keyUse, traffic.keys),
      units: writes(sizes.smallItem),
    },
  ];
}

/** A response lies in pieces; the first one is in its head. */
function keptCalls({ store, followUp, keptBytes }: Traffic): readonly TableCall[] {
  const pieces = Math.max(1, Math.ceil(keptBytes / sizes.keptPiece));
  const bytes = keptBytes / pieces + sizes.keptHead;
  const units = { write: writes(bytes), read: reads(bytes, { consistent: true }) };
  const kept = { table: 'state', what: 'kept response' } as const;
  return [
    { ...kept, action: 'PutItem', times: store ? pieces : 0, units: units.write },
    { ...kept, action: 'GetItem', times: followUp ? pieces : 0, units: units.read },
  ];
}
