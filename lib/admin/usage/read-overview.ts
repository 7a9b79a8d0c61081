/** Reads what an overview is made of. */
import type { SumsStore } from '../../core/ports/sums-store.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { addUp, nothing } from './group-figures.ts';
import type { OverviewQuestion } from './overview-question.ts';
import { before, defaultSpans, nameOf, periodsOf, slotsOf } from './periods.ts';
import { rankTenants } from './rank-tenants.ts';
import { readDays, readSums } from './read-sums.ts';
import type { Scope } from './scope.ts';

const bothOf = ({ span }: OverviewQuestion): Span => ({ from: before(span).from, to: span.to });

/** From the first to the last day of this month and the one before; yesterday is among them. */
function defaultSpan(now: number): Span {
  const { month, lastMonthSameDays: last, yesterday } = defaultSpans(now);
  return { from: Math.min(last.from, yesterday.from), to: month.to };
}

/** Reads the days of deployments once for the span and for the default, where these overlap. */
export function withDeploymentsOnce(sums: SumsStore, question: OverviewQuestion, now: number): SumsStore {
  const [both, standard] = [bothOf(question), defaultSpan(now)];
  if (question.grain !== 'day' || both.from > standard.to || both.to < standard.from) return sums;
  const all = { from: Math.min(both.from, standard.from), to: Math.max(both.to, standard.to) };
  let read: ReturnType<SumsStore['deploymentDays']> | undefined;
  return {
    ...sums,
    async deploymentDays({ from, to }) {
      read ??= sums.deploymentDays(periodsOf(all, 'day'));
      return (await read).filter(({ period }) => from <= period && period <= to);
    },
  };
}

/** The span, and the one before it. */
export async function readBoth(sums: SumsStore, scope: Scope, question: OverviewQuestion) {
  const both = bothOf(question);
  if (question.groupBy !== 'tenant' || scope.tenant !== undefined)
    return await readSums(sums, scope, question, both);
  const [all, ranked] = await Promise.all([
    readSums(sums, scope, { grain: 'day', groupBy: 'model' }, both),
    rankTenants(sums, both),
  ]);
  return { ...all, groups: ranked.groups, ranked };
}

export type Read = Awaited<ReturnType<typeof readBoth>>;

/** Today, yesterday, this month and the last one. */
export async function readSpans(
  sums: SumsStore,
  scope: Scope,
  question: OverviewQuestion,
  { now, since }: { readonly now: number; readonly since: number | undefined },
) {
  const spans = defaultSpans(now);
  const days = await readDays(sums, scope, question, defaultSpan(now), since);
  const sumOf = (span: Span) => {
    const names = slotsOf(span, 'day').map((slot, index) => [nameOf.day(slot), index] as const);
    const slots = { indexOf: new Map(names), count: names.length };
    const of = addUp(
      days.filter(({ period }) => slots.indexOf.has(period)),
      () => null,
      slots,
    );
    return (of[0] ?? nothing(slots)).now;
  };
  return {
    today: sumOf(spans.today),
    yesterday: sumOf(spans.yesterday),
    month: sumOf(spans.month),
    lastMonthSameDays: sumOf(spans.lastMonthSameDays),
  };
}

export type Standard = Awaited<ReturnType<typeof readSpans>>;
