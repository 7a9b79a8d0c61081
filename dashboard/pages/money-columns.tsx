/** The money of keys and tenants: columns of their lists, and what they were charged this month in their panels. */
import type { ListedKey } from '../../lib/admin/keys/schema.ts';
import { marginOf } from '../../lib/admin/usage/margin.ts';
import type { SpendAnswer } from '../../lib/admin/usage/schema.ts';
import { BudgetBar } from '../charts/small.tsx';
import { Definitions, Section } from '../components/surfaces.tsx';
import type { Column } from '../components/table/table.tsx';
import {
  type Amount,
  costOf,
  dollarsOf,
  estimatedPart,
  exactDollarsOf,
  inDollars,
  isCosted,
  limitDollars,
  margin,
  spend,
} from '../format/money.ts';
import { count, exactCount, share } from '../format/numbers.ts';
import { fullDay } from '../format/times.ts';
import { limitRows } from './form-values.ts';

type Money = Pick<ListedKey, 'spend' | 'use'>;

/** An amount with a mark where a part of it is estimated; what is known of it in full is its title. */
export const Shown = ({ of, estimated = '' }: { readonly of: Amount; readonly estimated?: string }) => (
  <span title={[of.exact, of.note, estimated].filter(Boolean).join('; ')}>
    {of.text}
    {estimated && <span class="quiet"> est.</span>}
  </span>
);

const none = <span class="quiet">–</span>;

const estimatedOf = (money: SpendAnswer) => (money.estimated_requests > 0 ? estimatedPart(money) : '');

/** The budget, or the credit, of which the greatest share is used. */
function tightest({ use = [] }: Money) {
  const money = use.filter(({ limit }) => titleOf(limit) !== undefined);
  return money.toSorted((one, other) => other.share - one.share)[0];
}

const titleOf = (limit: string): string | undefined =>
  limit === 'credit_usd'
    ? 'of the credit'
    : limitRows.find(({ field, isMoney }) => isMoney && field === limit)?.title.toLowerCase();

const BudgetUsed = ({ of }: { readonly of: Money }) => {
  const use = tightest(of);
  if (!use) return none;
  const text = `${share(use.share, 1)} of ${limitDollars(String(use.set))} ${titleOf(use.limit)}`;
  return (
    <span
      class="with-bar is-short"
      title={`${exactDollarsOf(String(use.used))} of ${exactDollarsOf(String(use.set))} ${titleOf(use.limit)}`}
    >
      {share(use.share, 1)}
      <BudgetBar label="Budget used" used={use.share} limit={1} text={text} passed={null} />
    </span>
  );
};

export const moneyColumns = <Row extends Money>(): readonly Column<Row>[] => [
  {
    name: 'spend',
    title: 'This month',
    kind: 'number',
    sort: 'spend',
    value: ({ spend: money }) => inDollars(money?.cost_nano_usd),
    cell: ({ spend: money }) => (money ? <Shown of={spend(money)} estimated={estimatedOf(money)} /> : none),
  },
  {
    name: 'requests',
    title: 'Requests',
    kind: 'number',
    wide: true,
    sort: false,
    value: ({ spend: money }) => money?.requests,
    cell: ({ spend: money }) =>
      money ? <span title={exactCount(money.requests)}>{count(money.requests)}</span> : none,
  },
  {
    name: 'budget',
    title: 'Budget used',
    kind: 'number',
    sort: 'budget',
    value: (row) => tightest(row)?.share,
    cell: (row) => <BudgetUsed of={row} />,
  },
  {
    name: 'unpriced',
    title: 'Requests without a price',
    value: ({ spend: money }) => money?.unpriced_requests,
    hidden: true,
  },
  {
    name: 'estimated',
    title: 'Estimated of it',
    value: ({ spend: money }) => inDollars(money?.estimated_cost_nano_usd),
    hidden: true,
  },
];

const creditOf = ({ use = [] }: Money) => use.find(({ limit }) => limit === 'credit_usd');

/** Of tenants, for operators. */
export const tenantMoneyColumns = <Row extends Money>(): readonly Column<Row>[] => [
  ...moneyColumns<Row>(),
  {
    name: 'cost',
    title: 'Cost',
    kind: 'number',
    wide: true,
    sort: false,
    value: ({ spend: money }) => inDollars(money?.provider_cost_nano_usd),
    cell: ({ spend: money }) => (money ? <Shown of={spend(costOf(money))} /> : none),
  },
  {
    name: 'margin',
    title: 'Margin',
    kind: 'number',
    wide: true,
    sort: 'margin',
    value: ({ spend: money }) => money && inDollars(marginOf(money)),
    cell: ({ spend: money }) => (money ? <Shown of={margin(money)} /> : none),
  },
  {
    name: 'credit',
    title: 'Credit left',
    kind: 'number',
    sort: false,
    value: (row) => inNumber(creditOf(row)?.left),
    cell: (row) => {
      const credit = creditOf(row);
      return credit ? (
        <span title={`${exactDollarsOf(String(credit.left))} of ${exactDollarsOf(String(credit.set))}`}>
          {dollarsOf(String(credit.left))}
        </span>
      ) : (
        none
      );
    },
  },
];

const inNumber = (dollars: string | number | undefined) => (dollars === undefined ? null : Number(dollars));

/** Of one key or tenant. */
export function MonthSpend({ of: money }: { readonly of: SpendAnswer | null }) {
  return (
    <Section title="This month">
      {money ? (
        <Definitions
          items={[
            ['Spend', <Shown key="spend" of={spend(money)} estimated={estimatedOf(money)} />],
            ['Cost', isCosted(money) ? <Shown key="cost" of={spend(costOf(money))} /> : undefined],
            ['Margin', isCosted(money) ? <Shown key="margin" of={margin(money)} /> : undefined],
            ['Requests', exactCount(money.requests)],
            [
              'Without a price',
              money.unpriced_requests > 0 ? exactCount(money.unpriced_requests) : undefined,
            ],
            ['Counted since', beganLater(money) ? fullDay(money.from) : undefined],
          ]}
        />
      ) : (
        <p class="quiet">This gateway keeps no sums.</p>
      )}
    </Section>
  );
}

const beganLater = ({ from }: SpendAnswer) => new Date(from * 1000).getUTCDate() > 1;
