/** The plan of a restore, and the switch-over to the restored table, as lines of text. */
import { kindOf, tables } from '../../lib/core/tables.ts';
import { tool } from '../help.ts';
import { meanings, withMoment } from './meaning.ts';
import { type RestorePlan, restoredFrom } from './plan.ts';
import { showTime } from './read-time.ts';

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
