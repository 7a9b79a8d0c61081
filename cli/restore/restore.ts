/** `restore`: makes a table as it was at an earlier moment, beside the one that the gateway uses. */
import { AwsError } from '../../lib/core/ports/aws.ts';
import { tableNames } from '../../lib/core/tables.ts';
import {
  type Command,
  type Installation,
  type InstalledDatabase,
  oneOf,
  UsageError,
  withInstallation,
} from '../command.ts';
import { carryOut } from './carry-out.ts';
import { describePlan, describeSwitch } from './describe.ts';
import { makePlan, readTime } from './plan.ts';
import { compareData, verify } from './verify.ts';

const defaultWaitMinutes = 60;
const maxWaitSeconds = 86_400;
const maxWaitMinutes = maxWaitSeconds / 60;

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a table of a deployed gateway as it was at a moment',
  description:
    'Shows what it would do; with --yes it does it. The restored table is a new one: the gateway uses it once you switch over, and how to do so is the end of the output. Safe to repeat: with the same --at, it goes on where it stopped. docs/operate/restore.md is the whole drill.',
  options: {
    table: { value: tableNames.join('|'), description: 'The table', required: true },
    at: {
      value: '<time>',
      description: 'The moment, with its time zone: 2026-11-20T10:00:00Z',
      required: true,
    },
    wait: {
      value: '<minutes>',
      description: `How long to wait for the new table (default: ${defaultWaitMinutes}, at most ${maxWaitMinutes})`,
    },
    yes: { description: 'Do it' },
  },
  examples: [
    'restore --table usage --at 2026-11-20T10:00:00Z --stack ModelGateway',
    'restore --table usage --at 2026-11-20T10:00:00Z --stack ModelGateway --yes',
  ],
  async run({ options, flags, terminal, ...context }) {
    const purpose = oneOf('--table', tableNames, options.table ?? '');
    const at = readTime(options.at ?? '');
    const patienceMs = readMinutes(options.wait) * 60_000;
    const write = (line: string) => terminal.write(line);
    await withInstallation(context, async (installation) => {
      const database = awsDatabase(installation);
      const { call, stack } = database;
      await explained(async () => {
        const plan = await makePlan(database, purpose, at);
        for (const line of describePlan(plan, Date.now())) write(line);
        if (!flags.has('yes')) return write('Nothing was changed. Add --yes to do it.');
        await carryOut(plan, { call, patienceMs, write });
        const { lines, lacks, stream } = await verify(plan, call);
        for (const line of [...lines, ...(await compareData(plan, installation, call))]) write(line);
        if (lacks.length > 0)
          throw new Error(`The table ${plan.target} lacks ${lacks.join(', ')}. Run the same command again.`);
        write('');
        for (const line of describeSwitch(plan, { stack, stream }, Date.now())) write(line);
      });
    });
  },
};

function readMinutes(text = String(defaultWaitMinutes)): number {
  const minutes = Number(text);
  if (/^\d{1,4}$/.test(text) && minutes <= maxWaitMinutes) return minutes;
  throw new UsageError(`--wait must be a whole number of minutes from 0 to ${maxWaitMinutes}, not ${text}.`);
}

function awsDatabase({ database }: Installation): InstalledDatabase {
  if (database?.isAws) return database;
  throw new UsageError(
    'Only tables in AWS can be restored to a moment: name a gateway with --stack, or its tables in the environment. For the gateway on this machine, copy its data directory.',
  );
}

/** What an operator can do about an error of AWS. Source: docs.aws.amazon.com DynamoDB, API_RestoreTableToPointInTime, backuprestore_IAM. */
const remedies: Readonly<Record<string, string>> = {
  AccessDeniedException:
    'These credentials may not do it. docs/operate/restore.md lists the rights that a restore needs.',
  InvalidRestoreTimeException: 'Choose a moment that the plan names as restorable.',
  LimitExceededException: 'Too many tables are being made or restored. Run the same command again later.',
  PointInTimeRecoveryUnavailableException: 'The table has no point-in-time recovery.',
};

/** With what to do, after the words of AWS. */
async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const remedy = error instanceof AwsError ? remedies[error.type] : undefined;
    if (!(error instanceof AwsError) || remedy === undefined) throw error;
    throw new Error(`${error.type}: ${error.message} ${remedy}`, { cause: error });
  }
}
