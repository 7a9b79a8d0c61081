/** Counts of the requests and calls of a process, for its metrics. Every label is of a closed list, or a provider of the operator's. */
import type { MeasuredRequest } from '../../lib/core/ports/request-metrics.ts';

/** The counts of one metric by its labels, in Prometheus's format. */
type Series = Readonly<Record<string, number>>;

export interface CountedSeries {
  readonly responses: Series;
  readonly refusals: Series;
  readonly providerCalls: Series;
  readonly providerFailures: Series;
}

export interface RequestCounts {
  /** A response was written, or its client left (499). `operation`: absent where no function answered. */
  respond(status: number, operation?: string): void;
  /** The server itself refused a request. `type`: that of its own answer. */
  refuse(type: string): void;
  /** A function has ended a request. */
  measure(request: MeasuredRequest): void;
  read(): CountedSeries;
}

/** Of one metric; those beyond are counted together. */
const maxCountedSeries = 500;

export function createRequestCounts(): RequestCounts {
  const responses = createSeries();
  const refusals = createSeries();
  const providerCalls = createSeries();
  const providerFailures = createSeries();
  return {
    respond: (status, operation = 'none') => responses.add(`operation="${operation}",status="${status}"`),
    refuse: (type) => refusals.add(`reason="${type.toLowerCase()}"`),
    measure({ error, attempts }) {
      if (error && attempts.length === 0) refusals.add(`reason="${error}"`);
      for (const { provider, error: failure } of attempts) {
        const label = `provider="${provider}"`;
        providerCalls.add(label);
        if (failure !== undefined) providerFailures.add(label);
      }
    },
    read: () => ({
      responses: responses.read(),
      refusals: refusals.read(),
      providerCalls: providerCalls.read(),
      providerFailures: providerFailures.read(),
    }),
  };
}

function createSeries() {
  const counts = new Map<string, number>();
  return {
    add(labels: string) {
      const known = counts.has(labels) || counts.size < maxCountedSeries ? labels : 'other="true"';
      counts.set(known, (counts.get(known) ?? 0) + 1);
    },
    read: () => Object.fromEntries(counts),
  };
}
