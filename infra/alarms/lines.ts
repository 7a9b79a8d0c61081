/**
 * CloudWatch metrics that count lines of our logs: what AWS itself cannot count. Such a metric costs nothing in hours without a count.
 * Fields and messages are those of `lib/http/request-log.ts` and of the deployments that write the lines.
 */

import { differenceMessage } from '../../lib/metering/cost/stated-cost.ts';
import { lossMessage } from '../../lib/metering/records/log-messages.ts';

/** A field of a line, and what it must be. `*` is any text. */
export type Condition = readonly [field: string, comparator: '=' | '!=' | '>', value: string | number | true];

/** Which functions write the line. */
export type LogOf = 'requests' | 'aggregator' | 'export';

export interface Line {
  readonly of: readonly LogOf[];
  readonly where: readonly Condition[];
  /** One of them holds too. */
  readonly either?: readonly Condition[];
  /** Counted in every stack; others only where an alarm or the dashboard shows them. */
  readonly isAlways?: true;
}

/** A stream that begins later is slow: its client, or the person at it, has mostly given up. */
export const slowStreamMs = 30_000;

const message = (text: string): Condition => ['message', '=', text];
const request = message('request');

/** Errors that the provider caused, and not the request. Source: `lib/core/errors/error-kinds.ts`. */
const causedByProvider: readonly Condition[] = [
  ['error', '=', 'upstream_*'],
  ['error', '!=', 'upstream_bad_request'],
  ['error', '!=', 'upstream_context_length'],
  ['error', '!=', 'upstream_content_policy'],
  ['error', '!=', 'upstream_invalid_call'],
];

const always = (of: LogOf, text: string): Line => ({ of: [of], where: [message(text)], isAlways: true });
const ofRequests = (...where: readonly Condition[]): Line => ({
  of: ['requests'],
  where: [request, ...where],
});

const counted = {
  /** Requests with an unknown cost, because a price is missing. */
  UnpricedRequests: always('requests', 'usage unpriced'),
  /** Answers whose provider states another cost than the one computed, because a price is wrong. */
  DifferentCosts: always('requests', differenceMessage),
  /** Records that exist only in the log, until `usage replay` restores them. */
  LostUsageRecords: always('requests', lossMessage),
  /** Batches of the ledger's changes that failed. They come again. */
  FailedAggregations: always('aggregator', 'aggregation failed'),
  /** Batches with items of the ledger that the sums lack. */
  UnreadableLedgerItems: always('aggregator', 'ledger items unreadable'),
  /** Exports of a day that failed. Each is tried twice more. */
  FailedExports: always('export', 'export failed'),
  /** Requests that a provider was called for. */
  ModelRequests: ofRequests(['provider', '=', '*']),
  StreamedRequests: ofRequests(['provider', '=', '*'], ['streamed', '=', true]),
  /** Streams whose first piece came late. */
  SlowStreams: ofRequests(['streamed', '=', true], ['first_byte_ms', '>', slowStreamMs]),
  /** Streams that began with status 200 and ended with an error. */
  InterruptedStreams: ofRequests(['status', '=', 200], ['error', '=', '*']),
  /** Faults of the gateway itself. */
  InternalErrors: ofRequests(['error', '=', 'internal']),
  ProviderFailures: ofRequests(...causedByProvider),
  /** Requests that failed because a provider did not accept its key, or the key could not be read. */
  RefusedCredentials: ofRequests(['error', '=', 'upstream_credentials']),
  /** Requests that failed because a provider refused a tenant's own key. */
  RefusedOwnKeys: ofRequests(['error', '=', 'own_provider_key']),
  /** Requests that were tried again, at the same provider or at another. */
  Fallbacks: ofRequests(['attempts', '>', 1]),
  /** Requests of which a rule of a guardrail could not be applied. */
  FailedGuards: ofRequests(['failed_guards', '=', '*']),
  /** Requests that a limit of rate or of money refused. One metric, as each is a resource of the stack for each function. */
  Refusals: {
    ...ofRequests(),
    either: [
      ['error', '=', 'rate_limited'],
      ['error', '=', 'budget_used_up'],
      ['error', '=', 'insufficient_quota'],
    ],
  },
} as const satisfies Readonly<Record<string, Line>>;

export type CountedLine = keyof typeof counted | 'OtherErrors';

const hasOneMessage = ({ where: [first, ...others], either }: Line) =>
  first !== undefined && others.length === 0 && either === undefined;

/** Lines of errors that no other metric counts. */
const otherErrors: Line = {
  of: ['requests', 'aggregator', 'export'],
  where: [
    ['level', '=', 'ERROR'],
    ['message', '!=', 'request'],
    ...Object.values<Line>(counted)
      .filter(hasOneMessage)
      .flatMap(({ where }) => where)
      .map(([field, , text]): Condition => [field, '!=', text]),
  ],
};

export const lines: Readonly<Record<CountedLine, Line>> = { ...counted, OtherErrors: otherErrors };

export const countedLines = Object.keys(lines) as readonly CountedLine[];
