/** How much traffic a deployment takes. */
import { operations } from '../../lib/core/operations.ts';
import { numbersByName } from './numbers-by-name.ts';
import { type SettingText, wholeNumber } from './values.ts';

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
   * operation or `aggregate`. None by default: a new account may have no more than ten in all.
   */
  readonly reservedConcurrency: ReadonlyMap<string, number>;
}

/** Requests per second, where the setting of this name is not given. */
export const throttleRate = 1_000;
/** Far more than people who look at models need. */
export const openThrottleRate = 100;
const throttleDefaults = { throttleRate, throttleBurst: 500, openThrottleRate, openThrottleBurst: 100 };

/** Throws an Error that names the setting at fault. */
export function readTraffic(text: SettingText): TrafficSettings {
  const throttle = (name: keyof typeof throttleDefaults) =>
    wholeNumber(name, text(name, String(throttleDefaults[name])));
  return {
    throttle: { rate: throttle('throttleRate'), burst: throttle('throttleBurst') },
    openThrottle: { rate: throttle('openThrottleRate'), burst: throttle('openThrottleBurst') },
    reservedConcurrency: numbersByName('reservedConcurrency', text('reservedConcurrency', ''), reservable),
  };
}

/** What may have reserved concurrency: all that serves requests, and what they need to be counted. */
const reservable = [...operations.map(({ name }) => name), 'aggregate'];
