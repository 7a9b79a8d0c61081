/** Events that a tenant's webhook gets: what they are, what is known of each, and the store of that. */
import { hash } from 'node:crypto';

/** An event of a tenant. */
export interface DeliveryRef {
  readonly tenant: string;
  /** Of the event. */
  readonly id: string;
}

/** Makes the attempt of an event that is due, and sees to the next one. `functionArn`: of the function of Lambda that does it. */
export type DeliverEvent = (
  ref: DeliveryRef,
  host: { readonly functionArn?: string | undefined },
) => Promise<void>;

/** What happened, once: the end of a response, for example. */
export interface Happening {
  readonly tenant: string;
  /** As receivers read it, for example `response.completed`. */
  readonly type: string;
  /** The id of what it happened to. */
  readonly about: string;
}

/** `gone`: the receiver answered 410, so it gets nothing until its webhook is set again. */
type DeliveryFailure = 'address_refused' | 'gone' | 'no_webhook' | 'unreachable';

/** One attempt: the status that was answered, or why there was none. */
export interface Attempt {
  /** Unix milliseconds. */
  readonly at: number;
  readonly status?: number;
  readonly failure?: DeliveryFailure;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface Delivery extends DeliveryRef, Happening {
  readonly state: DeliveryState;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly attempts: readonly Attempt[];
  /** When the next attempt is due while it is pending, in Unix milliseconds. */
  readonly dueAt: number;
}

/** All changes are conditional on what the delivery is in the table. */
export interface DeliveryStore {
  /** Notes an event, due at once, among the last of its tenant. Does nothing if it is known. */
  create(event: DeliveryRef & Happening): Promise<void>;
  find(ref: DeliveryRef): Promise<Delivery | undefined>;
  /** Reserves the attempt that is due until the given time; false if another process did, or has made it. */
  claim(delivery: Delivery, until: number): Promise<boolean>;
  /** Notes an attempt that was claimed until then; false if another process has taken it over. */
  record(delivery: Delivery, claimedUntil: number, result: AttemptResult): Promise<boolean>;
  /** The last ones of a tenant, newest first. */
  list(tenant: string): Promise<readonly Delivery[]>;
  /** Disables a webhook, by its secret. */
  disable(tenant: string, secret: string): Promise<void>;
  isDisabled(tenant: string, secret: string): Promise<boolean>;
  /** Notes for processes that start later that a delivery is pending. */
  remember(ref: DeliveryRef): Promise<void>;
  /** What was noted so lately that it may still be pending. */
  remembered(): Promise<readonly DeliveryRef[]>;
}

interface AttemptResult {
  readonly attempt: Attempt;
  readonly state: DeliveryState;
  readonly dueAt: number;
}

/** The same for whoever finds that it happened: an event has one delivery, whose attempts have one id. */
export const eventIdOf = ({ tenant, about }: Happening): string =>
  `evt_${hash('sha256', `${tenant}/${about}`).slice(0, 32)}`;

/** What a receiver reads, in the format of OpenAI. Nothing of a request or an answer is in it. */
export const eventBody = ({
  id,
  type,
  about,
  createdAt,
}: Pick<Delivery, 'id' | 'type' | 'about' | 'createdAt'>): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created_at: Math.floor(createdAt / 1000),
    data: { id: about },
  });
