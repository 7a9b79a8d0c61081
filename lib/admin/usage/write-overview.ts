/** Writes an overview from the sums that were read for it. */
import type { Numbers } from '../../core/accounting/sums.ts';
import { type Added, addUp, byCharge, nothing, type Slots, without } from './group-figures.ts';
import type { OverviewQuestion } from './overview-question.ts';
import { before, nameOf, seconds, slotsOf, stepOf } from './periods.ts';
import { areExact } from './rank-tenants.ts';
import type { Read, Standard } from './read-overview.ts';
import { type BudgetAnswer, maxMovers, maxOverviewGroups, type OverviewAnswer, timeZone } from './schema.ts';
import type { Scope } from './scope.ts';
import { chargeIn, firstBytes, toFigures, toPoint } from './write-figures.ts';

interface OverviewFacts {
  readonly question: OverviewQuestion;
  readonly scope: Scope;
  /** The time in milliseconds. */
  readonly now: number;
  /** From when on there are sums, in Unix milliseconds; undefined: there are none. */
  readonly since: number | undefined;
  /** As of when the sums are, in Unix milliseconds; undefined: unknown. */
  readonly asOf: number | undefined;
  readonly read: Read;
  readonly standard: Standard;
  readonly budgets: BudgetAnswer[];
  /** The names of keys by id. */
  readonly names: ReadonlyMap<string, string>;
}

export function writeOverview(facts: OverviewFacts): OverviewAnswer {
  const { question, scope, read, standard, budgets } = facts;
  const { span, grain, groupBy } = question;
  const times = slotsOf(span, grain);
  const slots: Slots = {
    indexOf: new Map(times.map((time, index) => [nameOf[grain](time), index])),
    count: times.length,
  };
  const known = knownSlots(facts, times);
  const [total = nothing(slots)] = addUp(read.totals, () => null, slots);
  const groups = addUp(read.groups, ({ id }) => id, slots).toSorted(byCharge);
  const shown = groups.slice(0, maxOverviewGroups);
  const figures = (numbers: Numbers) => toFigures(numbers, scope.seesCost);
  const hasBefore = known.from <= before(span).from;
  const figuresBefore = (numbers: Numbers) => (hasBefore ? figures(numbers) : null);
  const points = (added: Added) =>
    added.slots.map((slot, index) => (known.has(index) ? toPoint(slot) : null));
  const rest = without(total, shown);
  const ranked = 'ranked' in read ? read.ranked : undefined;
  const count = ranked?.count ?? groups.length;
  return {
    object: 'overview',
    time_zone: timeZone,
    ...seconds(span),
    before: seconds(before(span)),
    tenant: scope.tenant ?? null,
    grain,
    complete_from: Math.floor(completeFrom(facts) / 1000),
    as_of: facts.asOf === undefined ? null : Math.floor(facts.asOf / 1000),
    total: figures(total.now),
    before_total: figuresBefore(total.before),
    today: figures(standard.today),
    yesterday: figures(standard.yesterday),
    month: figures(standard.month),
    last_month_same_days: figures(standard.lastMonthSameDays),
    budgets,
    times: times.map((time) => time / 1000),
    series: total.slots.map((slot, index) =>
      known.has(index) ? { ...toPoint(slot), first_byte_ms: firstBytes(slot) } : null,
    ),
    group_by: groupBy,
    groups: shown.map((group) => ({
      ...named(group, facts),
      total: figures(group.now),
      before: figuresBefore(group.before),
      slots: points(group),
    })),
    others:
      count <= shown.length && read.isExact
        ? null
        : {
            groups: read.isExact ? count - shown.length : null,
            total: figures(rest.now),
            before: figuresBefore(rest.before),
            slots: points(rest),
          },
    groups_are_exact: ranked
      ? areExact(
          groups.map(({ now }) => chargeIn(now)),
          ranked,
        )
      : read.isExact,
    movers: hasBefore ? moversOf(groups, facts) : [],
  };
}

const named = ({ id }: Added, { question, names }: OverviewFacts) => ({
  id,
  name: id !== null && question.groupBy === 'key' ? (names.get(id) ?? id) : id,
});

/** The daily counters of a tenant's keys and models are from before there were sums, too. */
function hasSumsOnly({ scope: { tenant }, question: { grain, groupBy } }: OverviewFacts): boolean {
  return tenant === undefined || grain === 'hour' || groupBy === 'user';
}

/** The slots of which there is data: not those before there were sums, and none that is still to come. */
function knownSlots(facts: OverviewFacts, times: readonly number[]) {
  const { now, since = now, question } = facts;
  const step = stepOf[question.grain];
  const from = hasSumsOnly(facts) ? since : 0;
  return { from, has: (index: number) => (times[index] ?? 0) + step > from && (times[index] ?? 0) <= now };
}

/** When sums began, where there is nothing else. */
function completeFrom(facts: OverviewFacts): number {
  const { now, since = now, question } = facts;
  return hasSumsOnly(facts) ? Math.max(question.span.from, since) : question.span.from;
}

function moversOf(groups: readonly Added[], facts: OverviewFacts): OverviewAnswer['movers'] {
  return (
    groups
      .map((group) => {
        const now = toPoint(group.now).cost_nano_usd;
        const earlier = toPoint(group.before).cost_nano_usd;
        return {
          ...named(group, facts),
          cost_nano_usd: now,
          before_nano_usd: earlier,
          change_nano_usd: (now ?? 0) - (earlier ?? 0),
        };
      })
      // What is unknown has not changed.
      .filter(({ cost_nano_usd, before_nano_usd }) => cost_nano_usd !== null && before_nano_usd !== null)
      .filter(({ change_nano_usd }) => change_nano_usd !== 0)
      .toSorted((one, other) => Math.abs(other.change_nano_usd) - Math.abs(one.change_nano_usd))
      .slice(0, maxMovers)
  );
}
