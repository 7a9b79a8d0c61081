/** The numbers that matter most: today, this month, the chosen range against the one before, and budgets. */
import type { ComponentChildren } from 'preact';
import type { BudgetAnswer, Figures, OverviewAnswer } from '../../../lib/admin/usage/schema.ts';
import { daySeconds } from '../../../lib/core/time.ts';
import { BudgetBar, Sparkline } from '../../charts/small.tsx';
import { Link } from '../../components/link.tsx';
import { Figure } from '../../components/surfaces.tsx';
import { costOf, dollars, estimatedPart, exactDollars, isCosted, margin, spend } from '../../format/money.ts';
import { changeOf, count, exactCount, share } from '../../format/numbers.ts';
import { duration, fullDay } from '../../format/times.ts';
import type { Changes } from '../../state/query.ts';
import { failedWords, tokensOf } from './groups.ts';
import { ToRequests } from './to-requests.tsx';

export function Summary({ answer }: { readonly answer: OverviewAnswer }) {
  const {
    today,
    yesterday,
    month,
    last_month_same_days: lastMonth,
    total,
    before_total: before,
    series,
  } = answer;
  const tokens = tokensOf(total);
  const { first_byte_ms: times } = total;
  const to = (text: string, title?: string) => (
    <ToRequests span={answer} title={title}>
      {text}
    </ToRequests>
  );
  return (
    <dl class="figures" aria-label="Spend and use">
      <SpendFigure
        label="Spend today"
        now={today}
        note={`${spend(yesterday).text} yesterday`}
        with={{ range: 'today' }}
      >
        <Budgets budgets={answer.budgets.filter(({ period }) => period === 'day')} />
      </SpendFigure>
      <SpendFigure
        label="Spend this month"
        now={month}
        before={lastMonth}
        note={`${spend(lastMonth).text} last month by this day`}
        with={{ range: 'month' }}
      >
        <Budgets budgets={answer.budgets.filter(({ period }) => period !== 'day')} />
      </SpendFigure>
      <SpendFigure
        label="Spend in this time"
        now={total}
        before={before}
        note={before ? `${spend(before).text} in the time before` : ''}
        span={answer}
      >
        <Sparkline values={series.map((point) => point && (point.cost_nano_usd ?? 0))} />
      </SpendFigure>
      {isCosted(total) && <MarginFigure of={total} />}
      <Figure
        label="Requests"
        value={to(count(total.requests), exactCount(total.requests))}
        change={changeOf(total.requests, before?.requests)}
        note={
          <ToRequests span={answer} with={{ status: 'failed' }} title={failedWords(total)}>
            {share(total.failed_requests, total.requests)} failed
          </ToRequests>
        }
      >
        <Sparkline values={series.map((point) => point?.requests ?? null)} />
      </Figure>
      <Figure
        label="Tokens"
        value={to(count(tokens), exactCount(tokens))}
        change={changeOf(tokens, before && tokensOf(before))}
        note={`${share(total.cached_tokens, total.prompt_tokens)} of the input cached`}
      >
        <Sparkline values={series.map((point) => point?.tokens ?? null)} />
      </Figure>
      <Figure
        label="Time to first token"
        value={times ? to(duration(times.p50)) : '–'}
        change={times && changeOf(times.p50, before?.first_byte_ms?.p50)}
        better="down"
        note={times ? `median; 95% within ${duration(times.p95)}` : 'no answers were streamed'}
      />
      <Figure
        label="Price per million tokens"
        value={total.blended_price === null ? '–' : to(dollars(total.blended_price * 1e9))}
        change={changeOf(total.blended_price, before?.blended_price)}
        better="down"
        note="of all models, input and output"
      />
      <Figure
        label="Cache hits"
        value={total.cache_hit_rate === null ? '–' : to(share(total.cache_hit_rate, 1))}
        note="of requests read from a provider's cache"
      />
    </dl>
  );
}

interface SpendFigureProps {
  readonly label: string;
  readonly now: Figures;
  readonly before?: Figures | null;
  readonly note: string;
  /** It leads to the overview of another range, or to the requests of this one. */
  readonly with?: Changes;
  readonly span?: OverviewAnswer;
  readonly children?: ComponentChildren;
}

function SpendFigure({ label, now, before, note, with: changes, span, children }: SpendFigureProps) {
  const known = spend(now);
  return (
    <Figure
      label={label}
      value={
        span ? (
          <ToRequests span={span} title={known.exact}>
            {known.text}
          </ToRequests>
        ) : (
          <Link to="overview" with={{ from: null, to: null, ...changes }} class="plain">
            <span title={known.exact}>{known.text}</span>
          </Link>
        )
      }
      change={before ? changeOf(exactly(now), exactly(before)) : null}
      note={[known.note ?? note, estimatedPart(now)].filter(Boolean).join('; ')}
    >
      {children}
    </Figure>
  );
}

/** For operators: what is left of the charges of this time. */
function MarginFigure({ of: total }: { readonly of: Figures }) {
  const { text, exact, note } = margin(total);
  const cost = spend(costOf(total));
  return (
    <Figure
      label="Margin in this time"
      value={<span title={exact}>{text}</span>}
      note={[`Cost ${cost.text}`, note].filter(Boolean).join('; ')}
    />
  );
}

/** Null where some of it is not known: lower bounds are not compared. */
const exactly = ({ cost_nano_usd, unpriced_requests }: Figures) =>
  unpriced_requests > 0 ? null : cost_nano_usd;

const periodNames: Readonly<Record<BudgetAnswer['period'], string>> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
  ever: 'in all',
};

export const Budgets = ({ budgets }: { readonly budgets: readonly BudgetAnswer[] }) => (
  <>
    {budgets.map((budget) => (
      <Budget key={`${budget.of} ${budget.id} ${budget.period}`} {...budget} />
    ))}
  </>
);

function Budget({
  of,
  period,
  limit_nano_usd: limit,
  used_nano_usd: used,
  resets_at: resetsAt,
}: BudgetAnswer) {
  const label = `${of === 'key' ? "Key's budget" : 'Budget'} ${periodNames[period]}`;
  const text = `${share(used, limit)} of ${dollars(limit)}`;
  const resets = resetsAt === null ? '' : `; starts again on ${fullDay(resetsAt)}`;
  return (
    <div
      class="budget-line"
      title={`${exactDollars(used)} of ${exactDollars(limit)}, with what running requests may cost${resets}`}
    >
      <p>
        <span>{label}</span>
        <span>{text}</span>
      </p>
      <BudgetBar label={label} used={used} limit={limit} text={text} passed={passedOf(period, resetsAt)} />
    </div>
  );
}

/** How much of the period is over, of 0 to 1. */
function passedOf(period: BudgetAnswer['period'], resetsAt: number | null): number | null {
  if (resetsAt === null) return null;
  const days = { day: 1, week: 7, month: daysBefore(resetsAt), ever: null }[period];
  const left = resetsAt - Date.now() / 1000;
  return days === null ? null : Math.min(1, Math.max(0, 1 - left / (days * daySeconds)));
}

/** The days of the month before this time, which is the start of a month. */
const daysBefore = (start: number) => new Date((start - 1) * 1000).getUTCDate();
