/** What the record of a request must hold, by what its provider counted. */
import type { LedgerAttempt } from '../../lib/core/accounting/ledger.ts';
import { billedModel } from './models.ts';
import { listPrice, markedUp, type RawUsage } from './price-list.ts';
import type { BilledTenant } from './tenants.ts';
import type { ServedCall } from './upstream.ts';

/** How a test reads the cost of one attempt. */
export type Expected =
  /** Counted by the provider: exactly this. Null: it has no price for it. */
  | { readonly kind: 'counted' | 'counted if read'; readonly cost: number | null }
  /** Refused before anything was generated. */
  | { readonly kind: 'free' }
  /** A stream that broke off: an estimate of at least what was reported and shown. */
  | { readonly kind: 'estimated'; readonly least: number }
  /** Sent and not answered: unknown. */
  | { readonly kind: 'unknown' };

export function expectedOf(call: ServedCall): Expected {
  const { price } = billedModel(call.model);
  const { way, tier } = call.planned;
  if (way === 'busy' || way === 'failing' || way === 'refused') return { kind: 'free' };
  if (call.counted) {
    const cost = listPrice(call.protocol, call.counted, price, namesTier(call) ? tier : undefined);
    const counted = cost === null ? null : Number(cost);
    // What cannot be read ends a stream where it is: the counts that follow may not have been read.
    const mayBeUnread = way === 'unreadable' && (call.streamed || call.protocol === 'embeddings');
    return { kind: mayBeUnread ? 'counted if read' : 'counted', cost: counted };
  }
  const hasBegun = call.streamed && (call.begun !== undefined || call.sent > 0);
  return hasBegun ? { kind: 'estimated', least: leastOf(call) } : { kind: 'unknown' };
}

/** Which protocols name the tier in their answers. */
const namesTier = ({ protocol }: ServedCall) =>
  protocol === 'chat' || protocol === 'responses' || protocol === 'messages';

/** What the provider had reported, and a token for every four characters that it had sent. */
function leastOf({ protocol, model, begun, sent }: ServedCall): number {
  const output = Math.floor(sent / 4);
  const known: RawUsage = { ...begun, ...outputIn[protocol](output) };
  return Number(listPrice(protocol, known, billedModel(model).price) ?? 0n);
}

const outputIn: Readonly<Record<ServedCall['protocol'], (tokens: number) => RawUsage>> = {
  chat: (tokens) => ({ completion_tokens: tokens }),
  responses: (tokens) => ({ output_tokens: tokens }),
  messages: (tokens) => ({ output_tokens: tokens }),
  gemini: (tokens) => ({ candidatesTokenCount: tokens }),
  embeddings: () => ({}),
  images: () => ({}),
  'gemini-images': () => ({}),
};

/** What is wrong with an attempt; undefined: nothing. */
export function faultOf(expected: Expected, { cost, estimated, error }: LedgerAttempt): string | undefined {
  switch (expected.kind) {
    case 'counted':
      // On a busy machine, the gateway's own clock ends a call that its provider has just finished.
      if (error !== undefined && (estimated || cost === null)) return undefined;
      return cost === expected.cost && !estimated ? undefined : `counted ${expected.cost}, recorded ${cost}`;
    case 'counted if read':
      return estimated || cost === null || cost === expected.cost ? undefined : `recorded ${cost}`;
    case 'free':
      return cost === 0 ? undefined : `refused, recorded ${cost}`;
    case 'unknown':
      // An estimate of the prompt is no less true than none at all.
      return cost === null || (estimated && cost > 0) ? undefined : `unknown, recorded ${cost}`;
    case 'estimated':
      return cost === null || (estimated && cost >= expected.least)
        ? undefined
        : `at least ${expected.least}, recorded ${cost}${estimated ? ', estimated' : ''}`;
  }
}

/** What the tenant is charged for a call that was counted; null: there is no price for it. */
export function chargeExpected(call: ServedCall, { markup, fixed }: BilledTenant): number | null {
  const expected = expectedOf(call);
  if (expected.kind === 'free') return 0;
  if (expected.kind !== 'counted' || !call.counted) return null;
  if (fixed?.model === call.model) {
    // A fixed price holds in every tier.
    const charge = listPrice(call.protocol, call.counted, fixed.price);
    return charge === null ? null : Number(charge);
  }
  return expected.cost === null ? null : Number(markedUp(BigInt(expected.cost), markup));
}
