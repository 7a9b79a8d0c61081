/** Environments of the function that are kept started (`-c provisioned=`), in the hours of a schedule (`-c provisionedHours=`). */

import { type Hours, readHours, weekdays } from '../../infra/settings/groups/release.ts';
import { type CommandOption, UsageError } from '../command.ts';
import { type NumberOption, readNumber, shown } from './number-option.ts';
import { concurrentRequests, type KeptStarted, monthHours, type Traffic } from './traffic.ts';
import { ofMonth, type Quantity, type Use } from './uses.ts';

const provisioned: NumberOption = {
  value: '<n>',
  description: 'Environments of the function that are kept started',
  defaultValue: 0,
  min: 0,
  max: 100_000,
};

export const keptOptions: Readonly<Record<string, CommandOption>> = {
  provisioned: shown(provisioned),
  'provisioned-hours': {
    value: '<days/hours>',
    description: 'When they are, such as Mon-Fri/07:00-19:00 (default: always)',
  },
};

/** Throws UsageError. */
export function readKept(options: Readonly<Record<string, string | undefined>>): {
  readonly kept?: KeptStarted;
} {
  const environments = readNumber('provisioned', provisioned, options.provisioned);
  const hours = options['provisioned-hours'];
  if (environments > 0) return { kept: { environments, hours: hours ? hoursOfMonth(hours) : monthHours } };
  if (hours === undefined) return {};
  throw new UsageError('--provisioned-hours requires --provisioned.');
}

const weekHours = 7 * 24;

/** Without a time zone, which the setting has, the hours cost the same. */
function hoursOfMonth(text: string): number {
  const hours = readSchedule(text.split('/').length === 2 ? `${text}/UTC` : text);
  if (hours) return (hoursOfWeek(hours) / weekHours) * monthHours;
  throw new UsageError(
    `--provisioned-hours must be days and hours of one day, such as Mon-Fri/07:00-19:00, not ${text}.`,
  );
}

function readSchedule(text: string): Hours | undefined {
  try {
    return readHours(text);
  } catch {
    return undefined;
  }
}

function hoursOfWeek({ days, from, to }: Hours): number {
  const [first = '', last = first] = days.toLowerCase().split('-');
  const count = ((weekdays.indexOf(last) - weekdays.indexOf(first) + weekdays.length) % weekdays.length) + 1;
  return count * (hourOf(to) - hourOf(from));
}

function hourOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour + minute / 60;
}

/** Due without any request. */
export const keptIdle = ({ kept, memory }: Traffic): readonly Use[] =>
  kept
    ? ofMonth([
        [
          'Lambda',
          'lambdaKeptMegabyteMilliseconds',
          'kept started',
          kept.environments * memory * kept.hours * 3_600_000,
        ],
      ])
    : [];

/** The part of all requests that such environments serve, if the requests come evenly. */
function keptShare(traffic: Traffic): number {
  const { kept } = traffic;
  if (!kept) return 0;
  return Math.min(1, kept.environments / concurrentRequests(traffic)) * (kept.hours / monthHours);
}

/** Running code and starting it. Kept environments have a lower price, and no cold start. */
export function answering(traffic: Traffic): readonly Quantity[] {
  const { memory, duration, coldPercent, initMs } = traffic;
  const share = keptShare(traffic);
  const each = memory * Math.round(duration * 1_000);
  const started = 1 - share;
  return [
    ['Lambda', 'lambdaMegabyteMilliseconds', 'answering', each * started],
    ['Lambda', 'lambdaKeptDuration', 'answering where kept started', each * share],
    [
      'Lambda',
      'lambdaMegabyteMilliseconds',
      'cold starts',
      ((memory * initMs * coldPercent) / 100) * started,
    ],
  ];
}
