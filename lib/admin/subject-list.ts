/** A page of keys or tenants: in the order that is asked for, with what each was charged and has used if that is asked for. */

import type { Limited } from './limit-use.ts';
import { type ListOrder, orderedPage } from './list-order.ts';
import { budgetShare, type FindSpend, type SpendParts, usesOf } from './month-spend.ts';
import type { LimitUseAnswer } from './tenancy-schema.ts';
import { marginOf } from './usage/margin.ts';
import type { SpendAnswer } from './usage/schema.ts';

interface Query extends ListOrder {
  readonly include?: 'spend' | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

interface Kind<Item> {
  readonly idOf: (item: Item) => string;
  readonly limitedOf: (item: Item) => Limited;
  /** What the list is sorted by, beside amounts. */
  readonly values: Readonly<Record<string, (item: Item) => string | number | null | undefined>>;
  readonly readSpend: () => Promise<FindSpend>;
}

interface Listed<Item> {
  readonly item: Item;
  /** Both are absent unless they are asked for. */
  readonly money: { readonly spend?: SpendAnswer | null; readonly use?: LimitUseAnswer[] };
}

export async function subjectPage<Item>(
  parts: Pick<SpendParts, 'limits' | 'now'>,
  items: readonly Item[],
  query: Query,
  kind: Kind<Item>,
) {
  const { sort, include } = query;
  const { idOf, limitedOf } = kind;
  const isShown = include === 'spend';
  const findSpend = isShown || spendValues[sort] ? await kind.readSpend() : undefined;
  const readUses = async (of: readonly Item[]) => {
    const uses = await usesOf(parts, of.map(limitedOf));
    return new Map(of.map((item, index) => [idOf(item), uses[index] ?? []]));
  };
  const allUses = sort === 'budget' ? await readUses(items) : undefined;
  const valueIn = (item: Item) => {
    if (allUses) return budgetShare(allUses.get(idOf(item)) ?? []);
    const ofSpend = spendValues[sort];
    return ofSpend ? ofSpend(findSpend?.(idOf(item)) ?? null) : kind.values[sort]?.(item);
  };
  const { page, ...rest } = orderedPage(items, { ...query, idOf, valueIn });
  const uses = isShown ? (allUses ?? (await readUses(page))) : undefined;
  const listed = page.map((item): Listed<Item> => {
    const id = idOf(item);
    return { item, money: uses ? { spend: findSpend?.(id) ?? null, use: [...(uses.get(id) ?? [])] } : {} };
  });
  return { page: listed, ...rest };
}

/** What is known of it; null: unknown. */
const spendValues: Readonly<Record<string, (spend: SpendAnswer | null) => number | null>> = {
  spend: (spend) => spend?.cost_nano_usd ?? null,
  margin: (spend) => marginOf(spend ?? {}),
};
