/** Overview: what is spent and used, by whom, and what has changed. One call of the API. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { OverviewAnswer, OverviewGroup } from '../../../lib/admin/usage/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { type Read, useRead } from '../../api/use-read.ts';
import { AsOf } from '../../components/as-of.tsx';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx';
import { Card, Section } from '../../components/surfaces.tsx';
import type { RowLink } from '../../components/table/table.tsx';
import { amount, dollars, exactDollars } from '../../format/money.ts';
import { fullDay, moment } from '../../format/times.ts';
import { change, filters, group, moveOn, pageName, range } from '../../state/location.ts';
import { isLive } from '../../state/range.ts';
import { FirstRequest } from '../first-request.tsx';
import { useEvery } from '../use-every.ts';
import { Groups } from './group-table.tsx';
import { chartGroupFor, groupFor, narrow, noneName } from './groups.ts';
import { FirstTokens, OverTime } from './over-time.tsx';
import { Summary } from './summary.tsx';
import { isWider, ToRequests } from './to-requests.tsx';

/** How often it is read again, and how often a first request is looked for. */
const everyMs = 30_000;
const firstLookMs = 10_000;

export function Page({ session }: PageProps) {
  const { from, to } = range.value;
  const { tenant, model, key, user } = filters.value;
  const isOperator = session.role === 'operator';
  const by = chartGroupFor(group.value, filters.value, isOperator);
  const read = useRead<OverviewAnswer>('/overview', { from, to, tenant, model, key, user, group_by: by });
  const answer = useLatest(read);
  const everyNow = answer !== undefined && isUnused(answer) ? firstLookMs : everyMs;
  const again = () => {
    moveOn();
    read.reload();
  };
  useEvery(everyNow, again, isLive(range.value, Date.now() / 1_000));
  if (!answer)
    return read.error ? <ErrorState error={read.error} retry={read.reload} /> : <Skeleton lines={12} />;
  if (isUnused(answer))
    return Object.keys(filters.value).length === 0 ? <FirstRequest session={session} /> : <NothingFound />;
  const wanted = groupFor(group.value, isOperator);
  const links = { by: answer.group_by, wanted, filters: filters.value };
  return (
    <div class="overview" aria-busy={read.isLoading && !read.data}>
      {read.error && <ErrorState error={read.error} retry={read.reload} />}
      <div class="overview-head row row-wrap">
        {read.data && isWider(read.data) && <WholeSlots answer={read.data} />}
        <Link to="requests" with={{ status: 'open' }}>
          What runs now
        </Link>
        <AsOf {...read} asOf={answer.as_of} />
      </div>
      <Summary answer={answer} />
      {answer.complete_from > answer.from && (
        <p class="quiet">What was before {fullDay(answer.complete_from)} is not counted in full.</p>
      )}
      {answer.total.requests === 0 ? (
        <NothingFound />
      ) : (
        <Parts
          answer={answer}
          linkOf={(id) => narrow(id, links)}
          table={
            <Groups
              key={wanted}
              by={wanted}
              span={answer}
              isOfAll={isOperator && tenant === undefined}
              isOperator={isOperator}
              readAt={read.readAt}
            />
          }
        />
      )}
    </div>
  );
}

/** There are no sums of less than an hour, and of some none of less than a day. */
const WholeSlots = ({ answer: { grain, from, to } }: { readonly answer: OverviewAnswer }) => (
  <p class="quiet">
    The sums are of whole {grain}s: {moment(from)} to {moment(to)} UTC.
  </p>
);

interface PartsProps {
  readonly answer: OverviewAnswer;
  readonly linkOf: (id: string | null) => RowLink | undefined;
  readonly table: ComponentChildren;
}

function Parts({ answer, linkOf, table }: PartsProps) {
  const { group_by: by, movers, groups_are_exact: isExact } = answer;
  return (
    <>
      <Card>
        <OverTime answer={answer} linkOf={linkOf} />
        {!isExact && (
          <p class="quiet">There are too many to compare them all: a larger one may be among the others.</p>
        )}
      </Card>
      {table}
      <div class="side-by-side">
        <Card>
          <FirstTokens answer={answer} />
        </Card>
        <Card>
          <Section title="Biggest movers">
            <Movers movers={movers} by={by} span={answer} linkOf={linkOf} />
          </Section>
        </Card>
      </div>
    </>
  );
}

/** The last answer, also while one to another question is read: the page does not jump. */
function useLatest({ data }: Read<OverviewAnswer>): OverviewAnswer | undefined {
  const last = useRef(data);
  if (data) last.current = data;
  return last.current;
}

const isUnused = ({ total, before_total: before, month, last_month_same_days: lastMonth }: OverviewAnswer) =>
  [total, before, month, lastMonth].every((figures) => (figures?.requests ?? 0) === 0);

const NothingFound = () => (
  <EmptyState title="No requests in this time">
    <p>Choose a longer time, or remove the filters.</p>
    <Button onClick={() => change({ range: '90d', from: null, to: null })}>Last 90 days</Button>{' '}
    <Button onClick={() => change({ tenant: null, model: null, key: null, user: null })}>
      Remove the filters
    </Button>
  </EmptyState>
);

interface MoversProps {
  readonly movers: OverviewAnswer['movers'];
  readonly by: OverviewGroup;
  readonly span: Pick<OverviewAnswer, 'from' | 'to'>;
  readonly linkOf: (id: string | null) => RowLink | undefined;
}

export function Movers({ movers, by, span, linkOf }: MoversProps) {
  if (movers.length === 0) return <p class="quiet">No {by} costs more or less than in the time before.</p>;
  return (
    <ul class="movers stack">
      {movers.map(({ id, name, cost_nano_usd: now, before_nano_usd: before, change_nano_usd: change }) => {
        const link = linkOf(id);
        const called = name ?? id ?? noneName(by);
        return (
          <li key={id}>
            <Icon name={change > 0 ? 'up' : 'down'} />
            <span class="cut" title={called}>
              {link ? (
                <Link to={link.to ?? pageName.value} with={link.with ?? {}} class="plain">
                  {called}
                </Link>
              ) : (
                called
              )}
            </span>
            <span class="number" title={exactDollars(change)}>
              {change > 0 ? '+' : ''}
              {dollars(change)}
            </span>
            <span class="quiet">
              {amount(before).text} →{' '}
              {id === null ? (
                amount(now).text
              ) : (
                <ToRequests span={span} with={{ [by]: id }} title={amount(now).exact}>
                  {amount(now).text}
                </ToRequests>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
