/** One page of groups: those that are searched for, in the order that is asked for. Without an order, by their names. */
import type { Numbers } from '../../core/accounting/sums.ts';
import { type Names, pageOf, readAfter, type Sum, type Sums } from '../../metering/usage/groups.ts';
import { orderedPage } from '../list-order.ts';
import { hasText } from '../list-schema.ts';
import { marginOf } from './margin.ts';
import type { UsageSort } from './schema.ts';
import type { UsageQuestion } from './usage-question.ts';
import { toAmounts, tokensOf } from './write-figures.ts';

type Asked = Pick<UsageQuestion, 'group_by' | 'sort' | 'order' | 'search' | 'limit' | 'after'>;

/** `keyNameOf`: what the key of a group is called. */
export function usagePage(sums: Sums, asked: Asked, keyNameOf: (names: Names) => string | undefined) {
  const { group_by: groupBy, search, limit, after } = asked;
  const textsOf = (names: Names) => [...names.map((name) => name ?? undefined), keyNameOf(names)];
  const found = sums.sorted().filter(({ names }) => hasText(search, textsOf(names)));
  if (asked.sort === undefined && asked.order === undefined)
    return pageOf(found, { groupBy, limit, after: readAfter(groupBy, after) });
  const { sort = 'name', order = sort === 'name' ? 'asc' : 'desc' } = asked;
  const valueIn = ({ names, numbers }: Sum) =>
    sort === 'name' ? (keyNameOf(names) ?? names.join(' ')) : values[sort](numbers);
  const idOf = ({ names }: Sum) => JSON.stringify(names);
  return orderedPage(found, { idOf, valueIn, sort, order, limit, after });
}

const amounts = (numbers: Numbers) => toAmounts(numbers, true);

/** Null: unknown. */
const values: Readonly<Record<Exclude<UsageSort, 'name'>, (numbers: Numbers) => number | null>> = {
  spend: (numbers) => amounts(numbers).cost_nano_usd,
  provider_cost: (numbers) => amounts(numbers).provider_cost_nano_usd ?? null,
  margin: (numbers) => marginOf(amounts(numbers)),
  requests: ({ requests = 0 }) => requests,
  failed: ({ failed = 0 }) => failed,
  tokens: tokensOf,
};
