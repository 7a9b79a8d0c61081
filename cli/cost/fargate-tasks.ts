/** How many tasks a workload needs on Fargate, by the processor time of its requests and by how many run at a time. */
import {
  busyPercent,
  type FargateSettings,
  processesOf,
  provenStreams,
  readFargate,
} from '../../infra/settings/groups/fargate.ts';
import type { ProcessorTime } from './processor-time.ts';
import { processorSeconds } from './processor-time.ts';
import { concurrentRequests, type Traffic } from './traffic.ts';

/** As a deployment has them where no other is set. */
export const task: FargateSettings = readFargate((_, defaultValue) => defaultValue, true);

/** At the load that the scaling keeps. */
export function tasksFor(traffic: Traffic, time: ProcessorTime): number {
  const { cpu, tasks } = task;
  const busy = (cpu / 1_024) * (busyPercent / 100);
  const forProcessor = (traffic.rps * processorSeconds(traffic, time)) / busy;
  const forStreams = concurrentRequests(traffic) / (provenStreams * processesOf(cpu));
  return Math.max(tasks.min, Math.ceil(Math.max(forProcessor, forStreams)));
}
