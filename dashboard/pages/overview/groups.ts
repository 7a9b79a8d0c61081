/** The groups of the overview: what the chart may show of them, in values and words, and where they lead. */
import type { Figures, OverviewGroup, PointFigures, UsageRow } from '../../../lib/admin/usage/schema.ts';
import { type Amount, axisDollars, inDollars, spend } from '../../format/money.ts';
import { count, counted, exactCount } from '../../format/numbers.ts';
import {
  type Changes,
  type FilterName,
  type Filters,
  type GroupName,
  isTag,
  tagPrefix,
} from '../../state/query.ts';

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

/** A row of the table; the member of what it is grouped by may be that of a tag, which types do not know. */
export type GroupRow = UsageRow & Readonly<Record<string, unknown>>;

/** By what a view of one group is split. */
const next: Readonly<Partial<Record<GroupName, GroupName>>> = {
  tenant: 'model',
  model: 'key',
  key: 'model',
  user: 'model',
};

const isOfChart = (name: GroupName): name is OverviewGroup =>
  Object.hasOwn(titles, name) && name !== 'session';

/** What the table is split by: who has one tenant only needs no split by it. */
export const groupFor = (wanted: GroupName, isOperator: boolean): GroupName =>
  !isOperator && wanted === 'tenant' ? 'model' : wanted;

/**
 * What the charts are split by. They have the points of sums, which there are not of everything: of the keys and users of all tenants
 * an operator sees the tenants. A user's requests have no further split.
 */
export function chartGroupFor(wanted: GroupName, filters: Filters, isOperator: boolean): OverviewGroup {
  if (filters.user !== undefined) return 'user';
  const by = groupFor(wanted, isOperator);
  const isOfAll = isOperator && filters.tenant === undefined;
  if (!isOfChart(by) || (by === 'provider' && !isOfAll)) return 'model';
  return isOfAll && (by === 'key' || by === 'user') ? 'tenant' : by;
}

/** By what rows are asked for: keys, users and sessions of all tenants are those of a tenant each. */
export const rowGroups = (by: GroupName, isOfAll: boolean): readonly GroupName[] =>
  isOfAll && (by === 'key' || by === 'user' || by === 'session') ? ['tenant', by] : [by];

/** A page, or the open one, with a filter. */
interface Narrower {
  readonly to?: string;
  readonly with: Changes;
}

/** The filter that finds the requests of a group. */
export const filterOf = (by: GroupName, id: string): Changes =>
  isTag(by) ? { tag: `${by.slice(tagPrefix.length)}:${id}` } : { [by]: id };

/** Undefined for requests that gave none: no filter finds them. */
export function narrow(
  id: string | null,
  { by, wanted, filters }: { readonly by: GroupName; readonly wanted: GroupName; readonly filters: Filters },
): Narrower | undefined {
  if (id === null) return undefined;
  const split = by === wanted ? next[by] : wanted;
  if (split === undefined || filters[by as FilterName] === id)
    return { to: 'requests', with: filterOf(by, id) };
  // A tenant that stands for its keys or users leads to these.
  return { with: { [by]: id, by: split, search: null } };
}

/** What requests without an id in a group are called. */
export const noneName = (by: GroupName): string =>
  by === 'user' || by === 'session' || isTag(by) ? `no ${nounOf(by)} given` : `no ${nounOf(by)}`;

/** What a group is, in a sentence. */
export const nounOf = (by: GroupName): string => (isTag(by) ? by.slice(tagPrefix.length) || 'tag' : by);

const titles: Readonly<Record<Exclude<GroupName, `tag:${string}`>, string>> = {
  model: 'Model',
  key: 'Key',
  tenant: 'Tenant',
  user: 'User',
  provider: 'Provider',
  session: 'Session',
};

export const titleOf = (by: GroupName): string => (isTag(by) ? nounOf(by) : titles[by]);
