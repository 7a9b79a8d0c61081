/** How long the logs of a deployment are kept. */
import type { SettingRow } from '../row.ts';
import { oneOf, type SettingText } from '../values.ts';

export interface LogSettings {
  /** `logDays`: after so many days, a line is deleted. */
  readonly logDays: number;
}

/** What CloudWatch offers. Source: docs.aws.amazon.com AmazonCloudWatchLogs, API_PutRetentionPolicy. */
const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

export const logRows: readonly SettingRow[] = [
  {
    name: 'logDays',
    meaning: `After how many days the lines of logs are deleted: ${retentionDays.join(', ')}. A gigabyte costs about $0.03 a month. Groups whose lines may be the only copy of a record outlive the stack, as tables do (\`retain\`)`,
  },
];

/** Throws an Error that names the setting at fault. */
export const readLogs = (text: SettingText): LogSettings => ({
  logDays: Number(oneOf('logDays', text('logDays', '30'), retentionDays.map(String))),
});
