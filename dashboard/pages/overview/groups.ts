/** The groups of the overview: what the chart may show of them, in values and words, and where they lead. */
import type { Figures, OverviewGroup, PointFigures } from '../../../lib/admin/usage/schema.ts';
import { type Amount, axisDollars, inDollars, spend } from '../../format/money.ts';
import { count, counted, exactCount } from '../../format/numbers.ts';
import type { Changes, Filters, GroupName } from '../../state/query.ts';

export interface Metric {
  readonly title: string;
  /** Null: unknown. */
  readonly value: (point: PointFigures) => number | null;
  readonly amount: (point: PointFigures) => Amount;
  /** A number of the axis. */
  readonly tick: (value: number) => string;
  /** A value as tables save it. */
  readonly saved?: (value: number | null) => number | null;
  /** The smallest step of the axis. */
  readonly smallest?: number;
  /** The height of the axis where there is nothing. */
  readonly emptyMax?: number;
}

const counts = (title: string, value: (point: PointFigures) => number): Metric => ({
  title,
  value,
  amount: (point) => ({ text: count(value(point)), exact: exactCount(value(point)) }),
  tick: count,
  smallest: 1,
});

export const metrics = {
  spend: {
    title: 'Spend',
    value: ({ requests, cost_nano_usd }) => (requests === 0 ? 0 : cost_nano_usd),
    amount: (point) => spend(point.requests === 0 ? { cost_nano_usd: 0, unpriced_requests: 0 } : point),
    tick: axisDollars,
    saved: inDollars,
    emptyMax: 1e9,
  },
  requests: counts('Requests', ({ requests }) => requests),
  tokens: counts('Tokens', ({ tokens }) => tokens),
  failed: counts('Failed requests', ({ failed_requests }) => failed_requests),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

/** Of the URL; what it does not name is the spend. */
export const metricNamed = (name: string | null): MetricName =>
  name !== null && Object.hasOwn(metrics, name) ? (name as MetricName) : 'spend';

/** The figures of a whole range, as those of a point. */
export const pointOf = (figures: Figures): PointFigures => ({ ...figures, tokens: tokensOf(figures) });

export const tokensOf = ({ prompt_tokens, completion_tokens }: Figures): number =>
  prompt_tokens + completion_tokens;

/** `3 of 120 requests failed`. */
export const failedWords = ({ failed_requests, requests }: Figures): string =>
  `${exactCount(failed_requests)} of ${counted(requests, 'request')} failed`;

/** By what a view of one group is split. */
const next: Readonly<Record<OverviewGroup, GroupName>> = {
  provider: 'model',
  tenant: 'model',
  model: 'key',
  key: 'model',
  user: 'model',
};

/** Groups that are counted within one tenant only. */
const ofOneTenant: readonly GroupName[] = ['key', 'user'];

/**
 * What the overview is split by. The keys and users of all tenants together are not counted: an operator without a tenant gets the
 * tenants. Anybody else has one tenant only, which needs no split.
 */
export function groupFor(wanted: GroupName, filters: Filters, isOperator: boolean): GroupName {
  if (!isOperator) return wanted === 'tenant' ? 'model' : wanted;
  return filters.tenant === undefined && ofOneTenant.includes(wanted) ? 'tenant' : wanted;
}

/** A page, or the open one, with a filter. */
interface Narrower {
  readonly to?: string;
  readonly with: Changes;
}

/** Undefined for requests that gave none: no filter finds them. */
export function narrow(
  id: string | null,
  {
    by,
    wanted,
    filters,
  }: { readonly by: OverviewGroup; readonly wanted: GroupName; readonly filters: Filters },
): Narrower | undefined {
  if (id === null) return undefined;
  if (filters[by] === id) return { to: 'requests', with: { [by]: id } };
  // A tenant that stands for its keys or users leads to these.
  return { with: { [by]: id, by: by === wanted ? next[by] : wanted } };
}

/** What requests without an id in a group are called. */
export const noneNames: Readonly<Record<OverviewGroup, string>> = {
  model: 'no model',
  key: 'no key',
  tenant: 'no tenant',
  user: 'no user given',
  provider: 'no provider',
};

export const titles: Readonly<Record<OverviewGroup, string>> = {
  model: 'Model',
  key: 'Key',
  tenant: 'Tenant',
  user: 'User',
  provider: 'Provider',
};
