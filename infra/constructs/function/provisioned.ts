/**
 * Environments of a function that are kept started. Without a schedule and a higher number, they are a property of the alias: the number
 * holds after each deployment. Else Application Auto Scaling sets them, and a deployment leaves them as they are.
 */
import { TimeZone } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Hours, Provisioned } from '../../settings/groups/release.ts';

/** More are started while a larger part of them is in use: AWS's own default. */
const busyPart = 0.7;

/** What the alias itself has. */
export const fixedOf = (provisioned: Provisioned | undefined): number | undefined =>
  provisioned?.hours || provisioned?.max ? undefined : provisioned?.environments;

/** The rest. */
export function scaleProvisioned(alias: Alias, { environments, max = environments, hours }: Provisioned) {
  const scaling = alias.addAutoScaling({ minCapacity: hours ? 0 : environments, maxCapacity: max });
  if (max > environments) scaling.scaleOnUtilization({ utilizationTarget: busyPart });
  if (!hours) return;
  const timeZone = TimeZone.of(hours.timeZone);
  const at = (time: string) => atTime(hours, time);
  scaling.scaleOnSchedule('Start', {
    schedule: at(hours.from),
    timeZone,
    minCapacity: environments,
    maxCapacity: max,
  });
  scaling.scaleOnSchedule('End', { schedule: at(hours.to), timeZone, minCapacity: 0, maxCapacity: 0 });
}

function atTime({ days }: Hours, time: string): Schedule {
  const [hour = '', minute = ''] = time.split(':').map((part) => String(Number(part)));
  return Schedule.cron({ weekDay: days, hour, minute });
}
