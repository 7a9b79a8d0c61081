/** Who hears of what goes wrong, and from when on; and whether there is a dashboard of CloudWatch. */
import { alarmRows } from '../../alarms/table.ts';
import { byName, isOn, matching, type SettingRow, type SettingText, wholeNumber } from '../values.ts';

export interface AlarmSettings {
  /** `alarmEmail`: the address that alarms and alerts are mailed to; empty with a topic of the operator's. */
  readonly email: string;
  /** `alarmTopicArn`: a topic of the operator's in their place. It must allow CloudWatch and EventBridge to publish. */
  readonly topicArn: string;
  /** `concurrencyQuota`: how many functions of the account may run at a time in this region. */
  readonly concurrencyQuota: number;
  /** `alarmThresholds`: other thresholds than those of the table, by alarm; undefined: the alarm is left out. */
  readonly thresholds: ReadonlyMap<string, number | undefined>;
}

export interface WatchSettings {
  /** None by default: alarms cost by the month. */
  readonly alarms: AlarmSettings | undefined;
  /** `cloudWatchDashboard`. */
  readonly cloudWatchDashboard: boolean;
}

const mailAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const topicArn = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}$/;

/** Of an account where no other was asked for. A new account may have ten. Source: docs.aws.amazon.com/lambda, gettingstarted-limits. */
const defaultConcurrency = 1_000;

export const watchRows: readonly SettingRow[] = [
  {
    name: 'alarmEmail',
    formerly: 'alertMail',
    meaning:
      'The address that alarms and alerts about budgets and providers are mailed to. Alarms cost by the month: [alarms.md](../operate/alarms.md)',
  },
  {
    name: 'alarmTopicArn',
    meaning: 'A topic of SNS of your own in its place. It must allow CloudWatch and EventBridge to publish',
  },
  {
    name: 'concurrencyQuota',
    meaning: 'How many functions of the account may run at a time in this region, for an alarm before that',
    hosts: ['event', 'web'],
  },
  {
    name: 'alarmThresholds',
    meaning: 'Other thresholds of alarms, or `off`: `ServerErrors:2,SlowStreams:off`',
    form: 'map',
  },
  {
    name: 'cloudWatchDashboard',
    meaning: '`on`: a dashboard in CloudWatch of traffic, times, tokens, money and errors',
  },
];

/** Throws an Error that names the setting at fault. */
export function readAlarms(text: SettingText): WatchSettings {
  const cloudWatchDashboard = isOn(text, 'cloudWatchDashboard');
  const email = matching(text, 'alarmEmail', mailAddress, 'a mail address');
  const topic = matching(text, 'alarmTopicArn', topicArn, 'the ARN of a topic of SNS');
  if (email && topic) throw new Error('Of the settings "alarmEmail" and "alarmTopicArn", give one.');
  if (!email && !topic) {
    for (const name of ['concurrencyQuota', 'alarmThresholds'])
      if (text(name, ''))
        throw new Error(`The setting "${name}" has no effect without "alarmEmail" or "alarmTopicArn".`);
    return { alarms: undefined, cloudWatchDashboard };
  }
  const concurrencyQuota = wholeNumber(text, 'concurrencyQuota', defaultConcurrency);
  const names = alarmRows.map((row) => row.name);
  const thresholds = byName(text, 'alarmThresholds', names, (value) =>
    value('', '') === 'off' ? undefined : wholeNumber(value, 'alarmThresholds', 0),
  );
  return { alarms: { email, topicArn: topic, concurrencyQuota, thresholds }, cloudWatchDashboard };
}
