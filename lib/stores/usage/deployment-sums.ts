/** How the calls of each deployment went lately, from the sums of their hours. */
import { failurePrefix, hourOf, type Numbers } from '../../core/accounting/sums.ts';
import type { DeploymentSum, DeploymentSums } from '../../core/ports/deployment-sums.ts';
import type { DeploymentSumOfPeriod } from '../../core/ports/sums-store.ts';
import type { TableOptions } from '../dynamodb/table.ts';
import { createSumsStore } from './read-sums.ts';

export function createDeploymentSums(options: TableOptions & { readonly now: () => number }): DeploymentSums {
  const { now } = options;
  const sums = createSumsStore(options);
  return {
    async since(seconds) {
      // A process whose time is ahead may have counted in the next hour.
      const hours = { from: hourOf(seconds * 1000), to: hourOf(now() + 3_600_000) };
      const found = Map.groupBy(await sums.deploymentHours(hours), nameOf);
      return [...found.values()].flatMap(addUp).filter(({ attempts }) => attempts > 0);
    },
  };
}

const nameOf = ({ provider, region, model }: DeploymentSumOfPeriod) => `${provider} ${region} ${model}`;

function addUp(hours: readonly DeploymentSumOfPeriod[]): readonly DeploymentSum[] {
  const [first] = hours;
  if (!first) return [];
  const failures: Record<string, number> = {};
  for (const [code, count] of hours.flatMap(({ numbers }) => failuresIn(numbers)))
    failures[code] = (failures[code] ?? 0) + count;
  const attempts = hours.reduce((sum, { numbers }) => sum + (numbers.attempts ?? 0), 0);
  const last = Math.max(0, ...hours.map(({ lastFailureAt = 0 }) => lastFailureAt));
  const { provider, region, model } = first;
  const lastFailure = last > 0 && { lastFailureAt: Math.floor(last / 1000) };
  return [{ provider, region, model, attempts, failures, ...lastFailure }];
}

const failuresIn = (numbers: Numbers) =>
  Object.entries(numbers).flatMap(([name, count]) =>
    name.startsWith(failurePrefix) && count > 0 ? [[name.slice(failurePrefix.length), count] as const] : [],
  );
