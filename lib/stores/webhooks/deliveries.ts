/**
 * Events for webhooks, in the state table until they expire: each in one item (`webhook#<tenant>#<event>`); which were the last ones of
 * a tenant, in one more (`webhook#<tenant>`), a ring of attributes; and, for processes that start later, which were pending when, in an
 * item for each hour (`webhook##pending#<hour>`).
 */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { dayMs, hourMs } from '../../core/time.ts';
import type { Delivery, DeliveryRef, DeliveryStore } from '../../core/webhooks/delivery.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate, type UpdateCondition } from '../dynamodb/update-expression.ts';

interface DeliveryStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** How many of a tenant are listed. */
export const maxListedDeliveries = 100;

/** How long an event is stored. */
const deliveryDays = 7;

/** The longest pause between two attempts is shorter, and so is the time for which a server may be down. */
const rememberedHours = 24;

/** Items that are read at a time. */
const readsAtOnce = 10;

const attempt = z.object({
  at: z.number(),
  status: z.exactOptional(z.number()),
  failure: z.exactOptional(z.enum(['address_refused', 'gone', 'no_webhook', 'unreachable'])),
});

const deliveryItem = z.object({
  type: z.string(),
  about: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  created_at: z.number(),
  due_at: z.number(),
  attempts: z.array(attempt),
});

export function createDeliveryStore(options: DeliveryStoreOptions): DeliveryStore {
  const { now } = options;
  const items = openTable(options);
  const expiryIn = (ms: number) => Math.floor((now() + ms) / 1000);
  const isExpired = ({ [expiryAttribute]: expiry }: StoredItem) => Number(expiry) * 1000 <= now();
  const change = async (
    key: string,
    set: Readonly<Record<string, unknown>>,
    where: readonly UpdateCondition[],
  ) => {
    const fields = Object.entries(set).map(([name, value]) => [[name], value] as const);
    return (await items.update(key, toItemUpdate({ set: fields, where }))) !== undefined;
  };
  const read = async (key: string) => {
    const item = await items.get(key, { consistent: true });
    // DynamoDB deletes expired items late.
    return item && !isExpired(item) ? item : undefined;
  };
  const find = async (ref: DeliveryRef): Promise<Delivery | undefined> =>
    readDelivery(ref, await read(keyOf(ref)));

  return {
    find,
    async create(event) {
      const { tenant, id, type, about } = event;
      const item = {
        type,
        about,
        state: 'pending',
        created_at: now(),
        due_at: now(),
        attempts: [],
        [expiryAttribute]: expiryIn(deliveryDays * dayMs),
      };
      if (!(await items.put(keyOf(event), item, isAbsent))) return;
      const counted = await items.update(ringKey(tenant), toItemUpdate({ add: [['count', 1]], where: [] }));
      const slot = slotOf(Number(counted?.count));
      await change(ringKey(tenant), { [slot]: id, [expiryAttribute]: expiryIn(30 * dayMs) }, []);
    },
    claim: (delivery, until) => change(keyOf(delivery), { due_at: until }, isStillDue(delivery.dueAt)),
    record: (delivery, claimedUntil, { attempt: made, state, dueAt }) =>
      change(
        keyOf(delivery),
        { attempts: [...delivery.attempts, made], state, due_at: dueAt },
        isStillDue(claimedUntil),
      ),
    async list(tenant) {
      const ring = await read(ringKey(tenant));
      const count = Number(ring?.count ?? 0);
      const numbers = Array.from(
        { length: Math.min(count, maxListedDeliveries) },
        (_, index) => count - index,
      );
      const ids = numbers.map((n) => ring?.[slotOf(n)]).filter((id) => typeof id === 'string');
      const found = await mapConcurrently(ids, readsAtOnce, (id) => find({ tenant, id }));
      return found.filter((one) => one !== undefined);
    },
    async disable(tenant, secret) {
      const fields = { disabled: digestOf(secret), [expiryAttribute]: expiryIn(30 * dayMs) };
      await change(ringKey(tenant), fields, []);
    },
    isDisabled: async (tenant, secret) => (await read(ringKey(tenant)))?.disabled === digestOf(secret),
    async remember({ tenant, id }) {
      const set = { [id]: tenant, [expiryAttribute]: expiryIn(2 * dayMs) };
      await change(pendingKey(Math.floor(now() / hourMs)), set, []);
    },
    async remembered() {
      const hour = Math.floor(now() / hourMs);
      const hours = Array.from({ length: rememberedHours + 1 }, (_, index) => hour - index);
      const found = await mapConcurrently(hours, readsAtOnce, (each) => read(pendingKey(each)));
      const byId = new Map(found.flatMap((item = {}) => Object.entries(item)));
      return [...byId].flatMap(([id, tenant]) =>
        id.startsWith('evt_') && typeof tenant === 'string' ? [{ tenant, id }] : [],
      );
    },
  };
}

const ringKey = (tenant: string): string => `webhook#${encodeURIComponent(tenant)}`;

const keyOf = ({ tenant, id }: DeliveryRef): string => `${ringKey(tenant)}#${id}`;

/** No tenant has an empty name. */
const pendingKey = (hour: number): string => `webhook##pending#${hour}`;

const slotOf = (count: number): string => `event_${count % maxListedDeliveries}`;

/** A secret that the table may show. */
const digestOf = (secret: string): string => hash('sha256', secret);

const isStillDue = (dueAt: number): readonly UpdateCondition[] => [
  { path: ['state'], is: '=', value: 'pending' },
  { path: ['due_at'], is: '=', value: dueAt },
];

/** Undefined for what is damaged. */
function readDelivery({ tenant, id }: DeliveryRef, item: StoredItem | undefined): Delivery | undefined {
  const { success, data } = deliveryItem.safeParse(item);
  if (!success) return undefined;
  const { created_at: createdAt, due_at: dueAt, ...known } = data;
  return { tenant, id, ...known, createdAt, dueAt };
}
