/**
 * Restores a table and gives it what a restore leaves out. Each step may be repeated: a second run goes on where the first one stopped.
 * Sources: docs.aws.amazon.com DynamoDB, API_RestoreTableToPointInTime, API_TagResource, API_UpdateTable.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { completeTable, keepRecoverable } from '../../infra/tables/setup-tables.ts';
import { act, describeTable, untilActive } from '../../infra/tables/table-calls.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { AwsError } from '../../lib/core/ports/aws.ts';
import { kindOf } from '../../lib/core/tables.ts';
import { isOurs, type RestorePlan, restoredFrom } from './plan.ts';

interface CarryOut {
  readonly call: AwsCall;
  /** How long to wait for the restore, in milliseconds. */
  readonly patienceMs: number;
  readonly write: (line: string) => void;
}

export async function carryOut(plan: RestorePlan, work: CarryOut): Promise<void> {
  const { call, write } = work;
  const { purpose, source, target } = plan;
  if (!plan.isBegun) await begin(plan, call);
  write(`Restoring ${target}.`);
  await untilRestored(plan, work);
  await addTags(plan, call);
  await completeTable(target, kindOf(purpose), { call, pauseMs });
  await keepRecoverable(call, target, pauseMs);
  if (source.DeletionProtectionEnabled) await protect(target, call);
  write('Tags, expiry, recovery, stream and protection are set.');
}

/** Between questions whether a change of the table is done. */
const pauseMs = 1_000;

/** A call whose answer was lost is made again, and then finds the table that it made. */
async function begin({ source, target, at }: RestorePlan, call: AwsCall): Promise<void> {
  try {
    await act(call, 'RestoreTableToPointInTime', {
      SourceTableName: source.name,
      TargetTableName: target,
      RestoreDateTime: at,
    });
  } catch (error) {
    const isThere = error instanceof AwsError && /^Table(AlreadyExists|InUse)Exception$/.test(error.type);
    if (!isThere || !(await isOurs(call, target, { arn: source.arn, at }))) throw error;
  }
}

/** Questions begin close together, and are at most this far apart. */
const longestPauseMs = 15_000;

async function untilRestored({ target }: RestorePlan, { call, patienceMs }: CarryOut): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, longestPauseMs)) {
    const { TableStatus: status = 'absent' } = (await describeTable(call, target)) ?? {};
    if (status === 'ACTIVE' || status === 'UPDATING') return;
    if (status !== 'CREATING') throw new Error(`The restore failed: the table ${target} is ${status}.`);
    const leftMs = end - performance.now();
    if (leftMs <= 0)
      throw new Error(
        `The table ${target} is still being restored. Run the same command again: it goes on from here.`,
      );
    await pause(Math.min(waitMs, leftMs));
  }
}

async function addTags({ source, tags, targetArn }: RestorePlan, call: AwsCall): Promise<void> {
  const own = { Key: restoredFrom, Value: source.arn };
  await act(call, 'TagResource', { ResourceArn: targetArn, Tags: [...tags, own] });
}

async function protect(target: string, call: AwsCall): Promise<void> {
  await untilActive(call, target, pauseMs);
  await act(call, 'UpdateTable', { TableName: target, DeletionProtectionEnabled: true });
  await untilActive(call, target, pauseMs);
}
