/** Remarks on a bill: the workload may exceed quotas, or what a deployment has where nothing is set. */
import { maxTasks } from '../../infra/settings/groups/fargate.ts';
import type { Hosting } from './bill.ts';
import { task, tasksFor } from './fargate-tasks.ts';
import { quotas } from './quotas.ts';
import type { Traffic } from './traffic.ts';

/** One line for each exceeded quota. */
export function remarksOn(traffic: Traffic, { compute, time }: Hosting): readonly string[] {
  if (compute === 'fargate') return onTasks(tasksFor(traffic, time));
  if (compute === 'web') return [];
  return quotas
    .filter(({ needed, limit }) => needed(traffic) >= limit)
    .map(
      ({ name, needed, limit, unit }) =>
        `Exceeds a quota: ${name}, ${Math.ceil(needed(traffic)).toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} ${unit}. See --quotas.`,
    );
}

function onTasks(count: number): readonly string[] {
  if (count > maxTasks)
    return [
      `More than one load balancer is needed: one has at most ${maxTasks.toLocaleString('en-US')} tasks.`,
    ];
  return count > task.tasks.max ? [`Deploy with -c maxTasks=${count} or more.`] : [];
}
