/** Several data policies as one: what each forbids is forbidden. The order does not matter. */
import { isWithin } from './catalog/regions.ts';
import type { DataPolicy } from './tenancy.ts';

export const mergedPolicy = (policies: readonly DataPolicy[]): DataPolicy => policies.reduce(both, {});

function both(one: DataPolicy, other: DataPolicy): DataPolicy {
  const regions = inBoth(one.regions, other.regions, isWithin);
  const only = inBoth(one.providers?.only, other.providers?.only, isProviderWithin);
  const ignore = union(one.providers?.ignore, other.providers?.ignore);
  return {
    ...((one.zdr || other.zdr) && { zdr: true }),
    ...((one.noTraining || other.noTraining) && { noTraining: true }),
    ...(regions && { regions }),
    ...((only || ignore) && { providers: { ...(only && { only }), ...(ignore && { ignore }) } }),
    ...((one.noStore || other.noStore) && { noStore: true }),
  };
}

/** Whether a policy forbids all that another one does. */
export const isAsStrict = (policy: DataPolicy, bound: DataPolicy): boolean =>
  JSON.stringify(mergedPolicy([policy, bound])) === JSON.stringify(mergedPolicy([policy]));

type Within = (name: string, other: string) => boolean;

const isProviderWithin: Within = (name, other) => name === other || name.startsWith(`${other}/`);

/**
 * The names that both lists include. Of two that overlap one is within the other, so the narrower one is what both have. Empty:
 * nothing is allowed.
 */
export function inBoth(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
  isIn: Within = isProviderWithin,
): readonly string[] | undefined {
  if (!one && !other) return undefined;
  if (!one || !other) return widest(one ?? other ?? [], isIn);
  const within = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => others.some((wanted) => isIn(name, wanted)));
  return widest([...within(one, other), ...within(other, one)], isIn);
}

export function union(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  return one || other ? widest([...(one ?? []), ...(other ?? [])], isProviderWithin) : undefined;
}

/** Sorted, without names that are within another one. */
const widest = (names: readonly string[], isIn: Within): readonly string[] =>
  [...new Set(names)]
    .filter((name, _, all) => !all.some((other) => other !== name && isIn(name, other)))
    .toSorted();
