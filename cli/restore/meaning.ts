/** What an older copy of a table means to a gateway that goes on with it, and which commands repair what. */

import { dayOf } from '../../lib/core/accounting/counters.ts';
import type { TableName } from '../../lib/core/tables.ts';
import { dayMs } from '../../lib/core/time.ts';

/** `{day}` is the day of the moment, `{days}` the number of days since then, today included. */
interface Meaning {
  readonly changes: readonly string[];
  /** After the switch-over: what to run, and what for. */
  readonly repairs: readonly (readonly [command: string, purpose: string])[];
}

export const meanings: Readonly<Record<TableName, Meaning>> = {
  usage: {
    changes: [
      'Budgets and limits go back: what was used since then can be used again.',
      'Records of requests since then stay in the old table only. Export them before you switch over: `usage export --from {day}`.',
      'Closed months and adjustments of since then are gone: close and adjust again.',
      'Requests that ran at that moment show as interrupted.',
    ],
    repairs: [
      ['usage reconcile --days {days} --write', 'daily totals of the last seconds before that moment'],
      ['limits check <tenant> --write', 'reservations of requests that ran at that moment, for each tenant'],
      ['usage replay <log>', 'records that only a log has ("usage record lost")'],
      ['tenants settle-credit', 'credit, where it was used since then'],
    ],
  },
  access: {
    changes: [
      'WARNING: keys that were disabled since then WORK AGAIN, and tenants that were suspended since then are active again.',
      'Keys and tenants made since then are gone: their callers get 401.',
      'Limits, permissions, prices and credit of tenants are those of that moment; credit that was added since then is gone.',
    ],
    repairs: [
      ['keys list', 'then `keys disable <id>` for each key that must not work'],
      [
        'tenants list',
        'then `tenants suspend <tenant>`, `tenants set-limits`, `tenants add-credit` as they were',
      ],
      ['tenants settle-credit', 'the use of credit since then, from the ledger'],
    ],
  },
  catalog: {
    changes: [
      'Models, prices, aliases and hosts of operators are those of that moment: requests are billed at those prices.',
      'The models of this version are written again by the next deploy.',
    ],
    repairs: [
      [
        'catalog list',
        'then `catalog set-price`, `catalog set-status`, `catalog set-alias`, `providers add-host` as they were',
      ],
      ['usage recompute --from {day}', 'costs of requests that were billed at a wrong price'],
    ],
  },
  state: {
    changes: [
      'WARNING: responses that callers DELETED since then ARE THERE AGAIN, until they expire.',
      'Responses stored since then are gone: a `previous_response_id` of one is a 404.',
    ],
    repairs: [],
  },
};

/** Fills in the moment, in Unix seconds. */
export function withMoment(text: string, at: number, now: number): string {
  const day = dayOf(at * 1000);
  const days = Math.round((Date.parse(dayOf(now)) - Date.parse(day)) / dayMs) + 1;
  return text.replaceAll('{days}', String(days)).replaceAll('{day}', day);
}
