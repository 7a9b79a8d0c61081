/** The plan of a restore, and the switch-over to the restored table, as lines of text. */
import { dayOf } from '../../lib/core/accounting/counters.ts';
import { kindOf, type TableName, tables } from '../../lib/core/tables.ts';
import { dayMs } from '../../lib/core/time.ts';
import { tool } from '../help.ts';
import { type RestorePlan, restoredFrom, showTime } from './plan.ts';

/** `{day}` is the day of the moment, `{days}` the number of days since then, today included. */
interface Meaning {
  readonly changes: readonly string[];
  /** After the switch-over: what to run, and what for. */
  readonly repairs: readonly (readonly [command: string, purpose: string])[];
}

const meanings: Readonly<Record<TableName, Meaning>> = {
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
      'WARNING: keys that were disabled or revoked since then WORK AGAIN, and tenants that were suspended since then are active again.',
      'Keys and tenants made since then are gone: their callers get 401.',
      'Limits, permissions, prices and credit of tenants are those of that moment; credit that was added since then is gone.',
    ],
    repairs: [
      ['keys list', 'then `keys disable <id>` for each key that must not work'],
      ['management-keys list', 'then `management-keys revoke <id>` for each one that must not work'],
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
  files: {
    changes: [
      'Files that callers DELETED since then are found again, without their content; those of since then are gone.',
      'Batches of since then are gone, and what providers have of them is not collected; others show the state of that moment.',
    ],
    repairs: [],
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
function withMoment(text: string, at: number, now: number): string {
  const day = dayOf(at * 1000);
  const days = Math.round((Date.parse(dayOf(now)) - Date.parse(day)) / dayMs) + 1;
  return text.replaceAll('{days}', String(days)).replaceAll('{day}', day);
}

export function describePlan(plan: RestorePlan, now: number): readonly string[] {
  const { purpose, at, source, target, isBegun } = plan;
  const fill = (text: string) => withMoment(text, at, now);
  return [
    `The table "${purpose}" as it was at ${showTime(at)}`,
    ...pairs([
      ['source', source.name],
      ['restorable', `from ${showTime(plan.earliest)} to ${showTime(plan.latest)}`],
      [
        'size',
        `${source.ItemCount ?? 0} items, ${source.TableSizeBytes ?? 0} bytes, as DynamoDB last counted`,
      ],
      ['new table', isBegun ? `${target} (begun by an earlier run)` : target],
      ['billing', source.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST' ? 'on demand' : 'provisioned'],
      ['encryption', source.SSEDescription?.KMSMasterKeyArn ?? 'a key of DynamoDB'],
    ]),
    '',
    'What a restore does not carry over, and this command then sets:',
    ...bullets(completed(plan)),
    'What it does not set: a resource policy, and alarms that name the old table.',
    'The old table stays as it is, and costs its storage. A restore is charged by the size of the table, and can take hours.',
    '',
    'What it means to go on with the new table:',
    ...bullets(meanings[purpose].changes.map(fill)),
    '',
  ];
}

function completed({ purpose, source, tags }: RestorePlan): readonly string[] {
  return [
    `${tags.length} tags of the source, and ${restoredFrom}`,
    'the expiry of items (expires_at)',
    'point-in-time recovery',
    ...(kindOf(purpose).hasStream ? ['the stream, with both images of each item'] : []),
    ...(source.DeletionProtectionEnabled ? ['protection against deletion'] : []),
  ];
}

interface Restored {
  readonly stack: string | undefined;
  /** The ARN of the new table's stream. */
  readonly stream: string | undefined;
}

/** How the gateway is made to use the new table, and what to run then. */
export function describeSwitch(
  plan: RestorePlan,
  { stack, stream }: Restored,
  now: number,
): readonly string[] {
  const { purpose, target, targetArn, at } = plan;
  const settings = [
    `-c tables.${purpose}=${targetArn}`,
    ...(stream === undefined ? [] : [`-c tables.${purpose}Stream=${stream}`]),
  ];
  const { repairs } = meanings[purpose];
  const chosen = stack === undefined ? '' : ` --stack ${stack}`;
  return [
    'To switch over:',
    ...(stack === undefined
      ? [
          `  Set ${tables[purpose].environmentVariable}=${target} for the server and its aggregator, and restart both.`,
        ]
      : [
          `  npm run deploy -- ${settings.join(' ')}`,
          '  Give all other settings as before, and keep these two kinds in the file of settings: without them, a later deploy goes back to the old table.',
        ]),
    ...(repairs.length > 0 ? ['Then:'] : []),
    ...repairs.flatMap(([command, purposeOf]) => [
      `  ${tool} ${withMoment(command, at, now)}${chosen}`,
      `    ${purposeOf}`,
    ]),
  ];
}

const bullets = (texts: readonly string[]) => texts.map((text) => `  - ${text}`);

const pairs = (rows: readonly (readonly [name: string, value: string])[]) =>
  rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`);
