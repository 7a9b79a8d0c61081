/**
 * A shard of a limited scope, `limit#<kind>#<id>#<number>` / `now`: what the pool has leased to it and is left. And a lease, as the pool
 * keeps it: the last transfer between the two.
 *
 * Transfers are numbered. The pool writes a transfer, then the shard receives it; whoever finds one that was not received (its
 * process ended) receives it first. What a shard gives back it sets aside, and the next transfer takes it.
 */
import * as z from 'zod/mini';
import type { LimitName } from '../../../core/accounting/limits.ts';
import { DamagedItem } from '../../../core/ports/damaged-item.ts';
import type { StoredItem } from '../../dynamodb/table.ts';
import type { QuotaPool } from '../pool/pool-item.ts';

const schema = z.object({
  /** The number of the last transfer that was received. */
  transfer: z.number(),
  /** The minute of the requests and tokens that are left, and the day of the amount. */
  minute: z.number(),
  day: z.number(),
  // Below zero where no limit asks for a lease.
  requestsLeft: z.number(),
  tokensLeft: z.number(),
  amountLeft: z.number(),
  isPrepaid: z.boolean(),
  /** The limits under which it was leased. It is spent only under limits that are not lower. */
  caps: z.record(z.string(), z.number()),
  // What is set aside for the pool: all of it, or none.
  backMinute: z._default(z.number(), 0),
  backDay: z.exactOptional(z.number()),
  backRequests: z._default(z.number(), 0),
  backTokens: z._default(z.number(), 0),
  backAmount: z._default(z.number(), 0),
  backPrepaid: z._default(z.boolean(), false),
});

/** What moves between a pool and a shard, and the periods in which it counts. */
export interface Lot {
  readonly minute: number;
  readonly day: number;
  readonly requests: number;
  readonly tokens: number;
  readonly amount: number;
  readonly isPrepaid: boolean;
}

export type Shard = Omit<z.infer<typeof schema>, 'caps'> & {
  readonly caps: Readonly<Partial<Record<LimitName, number>>>;
  readonly back?: Lot;
  readonly stored: StoredItem;
};

/** Throws for a damaged item: what it was leased is unknown. */
export function readShard(stored: StoredItem): Shard {
  const { data, error } = schema.safeParse(stored);
  if (!data) throw new DamagedItem('The limit item in the database is damaged.', { cause: error });
  const { backDay: day, backMinute: minute, backPrepaid: isPrepaid } = data;
  if (day === undefined) return { ...data, stored };
  const { backRequests: requests, backTokens: tokens, backAmount: amount } = data;
  return { ...data, back: { minute, day, requests, tokens, amount, isPrepaid }, stored };
}

/** The attributes of what is left in a shard, and of what is set aside, by the parts of a lot. */
export const leftAttributes = {
  minute: 'minute',
  day: 'day',
  requests: 'requestsLeft',
  tokens: 'tokensLeft',
  amount: 'amountLeft',
  isPrepaid: 'isPrepaid',
} as const satisfies Readonly<Record<keyof Lot, keyof Shard>>;

export const backAttributes = {
  minute: 'backMinute',
  day: 'backDay',
  requests: 'backRequests',
  tokens: 'backTokens',
  amount: 'backAmount',
  isPrepaid: 'backPrepaid',
} as const satisfies Readonly<Record<keyof Lot, keyof Shard>>;

/** What is left in a shard. */
export const leftIn = ({ minute, day, requestsLeft, tokensLeft, amountLeft, isPrepaid }: Shard): Lot => ({
  minute,
  day,
  requests: requestsLeft,
  tokens: tokensLeft,
  amount: amountLeft,
  isPrepaid,
});

export interface Transfer extends Lot {
  readonly number: number;
  /** Whether the pool took what the shard had set aside. */
  readonly tookBack: boolean;
}

export const transferAttribute = (shard: number): string => `loan${shard}`;

/** The last transfer between a pool and a shard; number 0: there was none. */
export function transferOf(pool: QuotaPool | undefined, shard: number): Transfer {
  const text = pool?.stored[transferAttribute(shard)];
  const [number = 0, minute = 0, requests = 0, tokens = 0, amount = 0, flags = 0] =
    typeof text === 'string' ? text.split(' ').map((part) => Number.parseInt(part, 36)) : [];
  const day = Math.floor(minute / 1_440);
  return { number, minute, day, requests, tokens, amount, isPrepaid: (flags & 1) > 0, tookBack: flags >= 2 };
}

/** Short: each write is charged for the whole item. */
export function transferText({
  number,
  minute,
  requests,
  tokens,
  amount,
  isPrepaid,
  tookBack,
}: Transfer): string {
  const flags = (isPrepaid ? 1 : 0) + (tookBack ? 2 : 0);
  return [number, minute, requests, tokens, amount, flags].map((part) => part.toString(36)).join(' ');
}
