/** What the chart of the overview may show: of each point its value, and in words. */
import type { Figures, PointFigures } from '../../../lib/admin/usage/figures.ts';
import { type Amount, axisDollars, inDollars, spend } from '../../format/money.ts';
import { count, counted, exactCount } from '../../format/numbers.ts';

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
