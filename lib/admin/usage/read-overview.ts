/** Reads what an overview is made of. */
import type { SumsStore } from '../../core/ports/sums-store.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { addUp, nothing } from './group-figures.ts';
import type { OverviewQuestion } from './overview-question.ts';
import { before, nameOf, slotsOf, usualSpans } from './periods.ts';
import { rankTenants } from './rank-tenants.ts';
import { readDays, readSums } from './read-sums.ts';
import type { Scope } from './scope.ts';

/** The span, and the one before it. */
export async function readBoth(sums: SumsStore, scope: Scope, question: OverviewQuestion) {
  const both: Span = { from: before(question.span).from, to: question.span.to };
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
export async function readUsual(
  sums: SumsStore,
  scope: Scope,
  question: OverviewQuestion,
  { now, since }: { readonly now: number; readonly since: number | undefined },
) {
  const spans = usualSpans(now);
  const { month, lastMonthSameDays: last, yesterday } = spans;
  const days = await readDays(
    sums,
    scope,
    question,
    { from: Math.min(last.from, yesterday.from), to: month.to },
    since,
  );
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
    yesterday: sumOf(yesterday),
    month: sumOf(month),
    lastMonthSameDays: sumOf(last),
  };
}

export type Usual = Awaited<ReturnType<typeof readUsual>>;
