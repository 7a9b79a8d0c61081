/** How a new release gets its traffic, and which functions are kept started. With event functions only: they alone have versions. */
import { functionNames } from '../../../lib/core/operations.ts';
import { numbersByName, oneOf, type SettingRow, type SettingText } from '../values.ts';
import { type Compute, hasEventFunction } from './computes.ts';

export interface ReleaseSettings {
  /** `canary`: how the traffic of each function goes over to a new version; all at once without it. */
  readonly canary: Canary | undefined;
  /** `provisioned`: what is kept started of a function, by the name of its operation. */
  readonly provisioned: ReadonlyMap<string, Provisioned>;
}

/** Environments of a function that are kept started. */
export interface Provisioned {
  readonly environments: number;
  /** `provisionedMax`: up to so many while most of them are in use. */
  readonly max?: number;
  /** `provisionedHours`: always, without it. */
  readonly hours?: Hours;
}

/** A time of the week. */
export interface Hours {
  /** Such as `MON-FRI`. */
  readonly days: string;
  /** Such as `07:00`. */
  readonly from: string;
  /** On the same day. */
  readonly to: string;
  /** A name of the time zone database, such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** Source: docs.aws.amazon.com CodeDeploy, "Predefined deployment configurations for an AWS Lambda compute platform". */
export const canaries = [
  '10percent5minutes',
  '10percent10minutes',
  '10percent15minutes',
  '10percent30minutes',
  'linear10percent1minute',
  'linear10percent2minutes',
  'linear10percent3minutes',
  'linear10percent10minutes',
] as const;
export type Canary = (typeof canaries)[number];

const off = 'off';

export const releaseRows: readonly SettingRow[] = [
  {
    name: 'canary',
    meaning: `How the traffic of each function goes over to a new version: \`${off}\` for all at once, or ${canaries.map((name) => `\`${name}\``).join(', ')}. Alarms take it back; they cost about 7 USD a month for all functions`,
    hosts: ['event'],
  },
  {
    name: 'provisioned',
    meaning:
      'How many environments of a function are kept started, by the name of its operation, such as `chat-completions:5,responses:2`. One of 256 MB costs 2.19 USD a month, and the time of requests in it 42 % less than elsewhere',
    hosts: ['event', 'web'],
    form: 'map',
  },
  {
    name: 'provisionedMax',
    meaning:
      'Up to how many are started while more than 70 % of them are in use, in the same form; as many as `provisioned` without it',
    hosts: ['event', 'web'],
    form: 'map',
  },
  {
    name: 'provisionedHours',
    meaning:
      'When they are kept started, such as `Mon-Fri/07:00-19:00/Europe/Berlin`; always without it. A deployment in these hours starts them with the next day of the schedule',
    hosts: ['event', 'web'],
  },
];

/** Throws an Error that names the setting at fault. */
export function readRelease(
  text: SettingText,
  compute: Compute,
  reserved: ReadonlyMap<string, number>,
): ReleaseSettings {
  const canary = oneOf(text, 'canary', [off, ...canaries], off);
  return {
    canary: canary === off ? undefined : canary,
    provisioned: readProvisioned(text, compute, reserved),
  };
}

function readProvisioned(
  text: SettingText,
  compute: Compute,
  reserved: ReadonlyMap<string, number>,
): ReadonlyMap<string, Provisioned> {
  const counts = numbersByName(text, 'provisioned', functionNames);
  const highest = numbersByName(text, 'provisionedMax', functionNames);
  const hours = readHours(text('provisionedHours', ''));
  if (hours && counts.size === 0)
    throw new Error('The setting "provisionedHours" has no effect without "provisioned".');
  for (const [name, max] of highest) {
    const least = counts.get(name);
    if (least !== undefined && max > least) continue;
    throw new Error(
      `The setting "provisionedMax" must have more for "${name}" than "provisioned", which it goes with.`,
    );
  }
  return new Map(
    [...counts].map(([name, environments]) => {
      const max = highest.get(name);
      refuseUseless(name, compute, max ?? environments, reserved.get(name));
      return [name, { environments, ...(max !== undefined && { max }), ...(hours && { hours }) }];
    }),
  );
}

function refuseUseless(name: string, compute: Compute, highest: number, reserved: number | undefined): void {
  if (!hasEventFunction(name, compute))
    throw new Error(
      `The setting "provisioned" cannot have "${name}" with compute=${compute}: it is no function of its own there.`,
    );
  // Source: docs.aws.amazon.com Lambda, "Configuring provisioned concurrency for a function".
  if (reserved !== undefined && highest > reserved)
    throw new Error(
      `The setting "reservedConcurrency" must have at least ${highest} for "${name}": that many are provisioned.`,
    );
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const hoursFormat =
  /^(?<first>[a-z]{3})(?:-(?<last>[a-z]{3}))?\/(?<from>[0-9]{2}:[0-9]{2})-(?<to>[0-9]{2}:[0-9]{2})\/(?<zone>[\w+/-]+)$/i;
const time = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

/** Undefined for no text. Throws an Error that names the setting. */
function readHours(value: string): Hours | undefined {
  if (value === '') return undefined;
  const { first = '', last = first, from = '', to = '', zone = '' } = hoursFormat.exec(value)?.groups ?? {};
  const days = [first, last].map((day) => day.toLowerCase());
  const isTime = time.test(from) && time.test(to) && from < to;
  if (days.every((day) => weekdays.includes(day)) && isTime && isTimeZone(zone)) {
    const range = first.toLowerCase() === last.toLowerCase() ? [first] : [first, last];
    return { days: range.join('-').toUpperCase(), from, to, timeZone: zone };
  }
  throw new Error(
    `The setting "provisionedHours" must be days, hours of one day and a time zone, such as Mon-Fri/07:00-19:00/Europe/Berlin, not "${value}".`,
  );
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
