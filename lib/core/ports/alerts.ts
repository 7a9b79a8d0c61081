/** Alerts about budgets that are nearly used up. */
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

/** Takes an alert to where people see it. Rejects if it did not get there. */
export type SendAlert = (alert: Alert) => Promise<void>;

/** Notes that an alert of a limit was raised; false if that was so before. */
export type MarkAlert = (scope: LimitScope, mark: AlertMark) => Promise<boolean>;

export interface AlertMark {
  readonly limit: LimitName;
  /** The period and the amount of the limit: with another one, alerts begin again. */
  readonly period: string;
  readonly percent: number;
}

/** Sends one body to a URL; resolves with the status of the answer. Rejects for a URL that must not be called. */
export type PostWebhook = (url: string, request: WebhookRequest) => Promise<number>;

export interface WebhookRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
