/** The table of all alarms. The stack makes them, and `docs/operate/alarms.md` describes them. */
import type { Compute } from '../settings/groups/computes.ts';
import { backgroundAlarms } from './background.ts';
import { capacityAlarms } from './capacity.ts';
import { ledgerAlarms } from './ledger.ts';
import { type CountedLine, countedLines } from './lines.ts';
import { adminAlarms, requestAlarms } from './requests.ts';
import type { AlarmedPart, AlarmRow, Measure } from './row.ts';

export const alarmRows: readonly AlarmRow[] = [
  ...requestAlarms,
  ...ledgerAlarms,
  ...backgroundAlarms,
  ...capacityAlarms,
  ...adminAlarms,
];

export interface Deployment {
  readonly compute: Compute;
  readonly has: ReadonlySet<AlarmedPart>;
}

/** The alarms of such a deployment. */
export const alarmsOf = ({ compute, has }: Deployment): readonly AlarmRow[] =>
  alarmRows.filter(({ hosts, isOf }) => (hosts?.includes(compute) ?? true) && (!isOf || has.has(isOf)));

/** What an alarm reads. */
export function measuresOf({ watch }: AlarmRow): readonly Measure[] {
  if ('all' in watch) return [watch.all];
  if ('none' in watch) return [watch.none, watch.although];
  return isMeasure(watch.of) ? [watch.share, watch.of] : [watch.share];
}

const isMeasure = (name: string): name is Measure => name !== 'concurrencyQuota' && name !== 'maxTasks';

export const isCountedLine = (name: Measure): name is CountedLine =>
  countedLines.some((line) => line === name);

/** Where an alarm is described, from the root of the project. */
export const describedAt = ({ name }: AlarmRow): string => `docs/operate/alarms.md#${name.toLowerCase()}`;

/** Characters. Source: docs.aws.amazon.com AmazonCloudWatch, API_PutMetricAlarm, AlarmDescription. */
const maxDescription = 1_024;

/** What the mail of an alarm has beside its name and its number. Throws if it is too long. */
export function descriptionOf(row: AlarmRow): string {
  const steps = row.steps.map((step, index) => `${index + 1}. ${step}`);
  const text = [row.means, row.affects, ...steps, `More: ${describedAt(row)}`].join('\n');
  if (text.length > maxDescription)
    throw new Error(
      `The texts of the alarm "${row.name}" have ${text.length} characters: at most ${maxDescription}.`,
    );
  return text;
}
