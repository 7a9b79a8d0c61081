/** How much traffic a deployment takes. */
import { functionNames } from '../../../lib/core/operations.ts';
import { numbersByName, type SettingRow, type SettingText, wholeNumber } from '../values.ts';

export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

export interface TrafficSettings {
  /** `throttleRate`, sustained requests per second, and `throttleBurst`, for all callers together. */
  readonly throttle: Throttle;
  /** `openThrottleRate` and `openThrottleBurst`: the same for each operation that needs no API key. */
  readonly openThrottle: Throttle;
  /**
   * `reservedConcurrency`: how many requests a function serves at a time, and keeps of the account's concurrency, by the name of its
   * operation, `background` or `aggregate`. None by default: a new account may have no more than ten in all.
   */
  readonly reservedConcurrency: ReadonlyMap<string, number>;
}

/** Requests per second, where the setting of this name is not given. */
export const throttleRate = 1_000;
/** Far more than people who look at models need. */
const openThrottleRate = 100;
const throttleDefaults = { throttleRate, throttleBurst: 500, openThrottleRate, openThrottleBurst: 100 };

const hosts = ['event', 'web'] as const;

export const trafficRows: readonly SettingRow[] = [
  { name: 'throttleRate', meaning: 'Requests per second, for all callers together', hosts },
  { name: 'throttleBurst', meaning: 'Requests at once above that rate', hosts },
  {
    name: 'openThrottleRate',
    meaning: 'Requests per second to each operation that needs no key, such as `GET /v1/models`',
    hosts,
  },
  { name: 'openThrottleBurst', meaning: 'Requests at once above that rate', hosts },
  {
    name: 'reservedConcurrency',
    meaning:
      "How many requests a function serves at a time, and keeps of the account's concurrency: `chat-completions:500,models:10,background:50,aggregate:10`. AWS wants 100 of the account's concurrency left",
    form: 'map',
  },
];

/** Throws an Error that names the setting at fault. */
export function readTraffic(text: SettingText): TrafficSettings {
  const throttle = (name: keyof typeof throttleDefaults) => wholeNumber(text, name, throttleDefaults[name]);
  return {
    throttle: { rate: throttle('throttleRate'), burst: throttle('throttleBurst') },
    openThrottle: { rate: throttle('openThrottleRate'), burst: throttle('openThrottleBurst') },
    reservedConcurrency: numbersByName(text, 'reservedConcurrency', reservable),
  };
}

/** What may have reserved concurrency: all that serves requests, and what they need to be created later and counted. */
const reservable = [...functionNames, 'background', 'aggregate'];
