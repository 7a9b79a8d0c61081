/** The sums that the dashboard shows, as they are read. What was added in the last second may be missing. */
import type { Numbers, SumKey } from '../accounting/sums.ts';

/** Hours (`YYYY-MM-DDTHH`), days or months; both ends are included. */
export interface Periods {
  readonly from: string;
  readonly to: string;
}

export interface KeySum {
  /** The hour or the day. */
  readonly period: string;
  /** The id of the key. */
  readonly key: string;
  readonly model: string;
  readonly numbers: Numbers;
}

/** What a key was used for in a month. */
export interface MonthOfKey {
  readonly tenant: string;
  readonly key: string;
  readonly numbers: Numbers;
}

export interface UserSum {
  /** The day. */
  readonly period: string;
  readonly user: string;
  readonly numbers: Numbers;
}

export interface TenantSum {
  /** The day or the month. */
  readonly period: string;
  readonly tenant: string;
  readonly numbers: Numbers;
  /** The time of the latest request, in Unix milliseconds, to some seconds. */
  readonly lastAt: number;
}

export interface DeploymentSumOfPeriod {
  /** The hour or the day. */
  readonly period: string;
  readonly provider: string;
  readonly region: string;
  readonly model: string;
  readonly numbers: Numbers;
  /** The time of the latest call that failed, in Unix milliseconds, to some seconds. */
  readonly lastFailureAt?: number;
}

/** What the aggregator has counted of one shard of the stream. */
export interface StreamPosition {
  /** When the last change was made that is counted, in Unix milliseconds; absent: none is yet. */
  readonly at?: number;
  /** When that was counted, in Unix milliseconds. */
  readonly countedAt?: number;
  /** Its last batch failed, and comes again. */
  readonly hasFailed: boolean;
}

/** Every method may reject; those of one tenant with GatewayError `invalid_request` where there are more than `maxSums`. */
export interface SumsStore {
  /** From this time on, in Unix milliseconds, sums have all requests; undefined: there are none. */
  since(): Promise<number | undefined>;
  /** How far the aggregator has come in the last two days, in each shard of the stream. */
  positions(): Promise<readonly StreamPosition[]>;
  /** The same as `since` of the sums of keys by month. */
  keysSince(): Promise<number | undefined>;
  /** The amounts, requests and tokens of a month, of all keys or those of a tenant. */
  keyCharges(month: string, tenant?: string): Promise<readonly MonthOfKey[]>;
  /** One sum; undefined: nothing was added to it. */
  find(key: SumKey): Promise<Numbers | undefined>;
  /** The same of many different ones, in their order. */
  findMany(keys: readonly SumKey[]): Promise<readonly (Numbers | undefined)[]>;
  /** Of one tenant. */
  hours(tenant: string, hours: Periods): Promise<readonly KeySum[]>;
  /** As `hours`, from the daily counters, which are there without a dashboard too. */
  days(tenant: string, days: Periods): Promise<readonly KeySum[]>;
  /** The latest first, so many at most. `isComplete`: there are no more of these days. */
  users(
    tenant: string,
    days: Periods,
    max: number,
  ): Promise<{ readonly sums: readonly UserSum[]; readonly isComplete: boolean }>;
  /** Of one user. */
  usersIn(tenant: string, user: string, days: readonly string[]): Promise<readonly UserSum[]>;
  /** All tenants of a day or month. */
  tenants(period: string): Promise<readonly TenantSum[]>;
  /** The same with amounts, requests and tokens only. */
  tenantCharges(period: string): Promise<readonly TenantSum[]>;
  /** Some tenants in some days or months. */
  tenantsIn(tenants: readonly string[], periods: readonly string[]): Promise<readonly TenantSum[]>;
  /** Of all tenants. */
  deploymentHours(hours: Periods): Promise<readonly DeploymentSumOfPeriod[]>;
  deploymentDays(days: Periods): Promise<readonly DeploymentSumOfPeriod[]>;
}
