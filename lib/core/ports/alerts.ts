/** Alerts: about budgets that are nearly used up, and about providers whose calls fail; and the list of them. */
import type { LimitName, LimitScope } from '../accounting/limits.ts';

/** A budget or credit of which so much is used. Amounts are in nano-dollars. */
export interface Alert {
  /** Unique: a receiver that gets it twice knows by it. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly tenant: string;
  /** Whose limit: a key, the tenant, or a user by the hash of the id. */
  readonly scope: LimitScope;
  readonly limit: LimitName;
  /** The threshold that was reached. */
  readonly percent: number;
  readonly used: number;
  readonly amount: number;
  /** When the budget starts again, in Unix milliseconds; absent: never. */
  readonly resetsAt?: number;
}

/** So many alerts of one kind of scope were sent in an hour that the others of this hour are only in the log. */
export interface AlertPause extends Pick<Alert, 'id' | 'at' | 'tenant'> {
  readonly kind: LimitScope['kind'];
  /** How many were sent. */
  readonly sent: number;
  /** When alerts are sent again, in Unix milliseconds. */
  readonly resumesAt: number;
}

/** Most calls of a provider fail, or do so no longer. Times are in Unix milliseconds. */
export interface ProviderAlert extends Pick<Alert, 'id' | 'at'> {
  readonly provider: string;
  readonly since: number;
  /** Absent: it is failing. */
  readonly until?: number;
  /** Those of the last minutes. */
  readonly attempts: number;
  readonly failures: number;
}

export type Notice = Alert | AlertPause | ProviderAlert;

/** An alert as it is listed. Times are in Unix milliseconds. */
export interface LoggedAlert {
  readonly id: string;
  /** As receivers of webhooks read it. */
  readonly type: string;
  /** Absent: it is about no tenant. */
  readonly tenant?: string;
  readonly message: string;
  readonly since: number;
  /** Absent: it is not known to end. */
  readonly until?: number;
  /** Whether it reached every webhook and channel; absent: there is none, or it is on its way. */
  readonly delivered?: boolean;
}

interface AlertQuestion {
  /** Absent: those of all tenants, and of none. */
  readonly tenant?: string | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Alerts are listed for some weeks. Every method may reject. */
export interface AlertLog {
  /** Writes an alert, in place of what was known of it. */
  write(alert: LoggedAlert): Promise<void>;
  /** Newest first. Rejects with GatewayError `invalid_request` for a wrong position. */
  list(question: AlertQuestion): Promise<{ readonly alerts: readonly LoggedAlert[]; readonly next?: string }>;
}

/** Takes a notice to where people see it. Rejects if it did not get there. */
export type SendAlert = (notice: Notice) => Promise<void>;

/** Counts an alert of a kind of scope of a tenant in an hour since 1970, and gives how many there were with it. */
export type CountAlert = (tenant: string, kind: LimitScope['kind'], hour: number) => Promise<number>;

/** Notes that an alert of a limit was raised; false if that was so before. */
export type MarkAlert = (scope: LimitScope, mark: AlertMark) => Promise<boolean>;

interface AlertMark {
  readonly limit: LimitName;
  /** The period and the amount of the limit: with another one, alerts begin again. */
  readonly period: string;
  readonly percent: number;
}
