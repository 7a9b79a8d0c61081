/**
 * Makes the gateway's tables where no stack does: keys, stream, expiry, and in AWS the same protection that the stack gives. What exists
 * stays, and gets what it lacks. Sources: docs.aws.amazon.com DynamoDB, API_UpdateTable, API_UpdateTimeToLive, API_UpdateContinuousBackups.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import { expiryAttribute, kindOf, type TableName } from '../../lib/core/tables.ts';
import {
  act,
  createIfAbsent,
  describeTable,
  keyForm,
  streamFormat,
  type TableShape,
  untilActive,
} from './table-calls.ts';

interface SetupOptions {
  readonly call: AwsCall;
  /** In AWS, tables cannot be deleted by mistake, and can be restored to any moment of the last 35 days. */
  readonly isAws: boolean;
  /** Between questions whether a table is ready. */
  readonly pauseMs?: number;
}

interface SetUpTable {
  readonly purpose: TableName;
  readonly table: string;
  /** `completed`: it was there, and lacked something. */
  readonly state: 'created' | 'completed' | 'present';
  /** The parts that this database does not have. */
  readonly lacks: readonly string[];
}

/** Rejects for a table that has other keys, or a stream without both images: it is not the gateway's. */
export async function setUpTable(
  purpose: TableName,
  table: string,
  options: SetupOptions,
): Promise<SetUpTable> {
  const { call, isAws, pauseMs = 1_000 } = options;
  const form: TableShape = { ...kindOf(purpose), isProtected: isAws };
  const isCreated = await createIfAbsent(call, table, { ...form, pauseMs });
  const done = await completeTable(table, form, { call, pauseMs });
  // What is deleted of stored responses is meant to be gone.
  if (isCreated && isAws && purpose !== 'state') await keepRecoverable(call, table, pauseMs);
  const isCompleted = Object.values(done).includes('added');
  return {
    purpose,
    table,
    state: isCreated ? 'created' : isCompleted ? 'completed' : 'present',
    lacks: Object.entries(done).flatMap(([part, state]) => (state === 'unsupported' ? part : [])),
  };
}

type Part = 'added' | 'present' | 'unsupported';

interface Calling {
  readonly call: AwsCall;
  readonly pauseMs: number;
}

/** Gives an existing table its stream and the expiry of its items. Rejects as `setUpTable`. */
export const completeTable = async (table: string, form: TableShape, calling: Calling) => ({
  stream: await completeStream(table, form, calling),
  expiry: await setExpiry(calling.call, table),
});

async function completeStream(table: string, form: TableShape, { call, pauseMs }: Calling): Promise<Part> {
  const { KeySchema: keys = [], StreamSpecification: stream } = (await describeTable(call, table)) ?? {};
  const found = keys.map(({ AttributeName, KeyType }) => ({ AttributeName, KeyType }));
  if (!isDeepStrictEqual(found, keyForm(form)))
    throw new Error(`The table ${table} has other keys than the gateway's. Give another name.`);
  if (!form.hasStream) return 'present';
  if (stream?.StreamEnabled) {
    if (stream.StreamViewType === streamFormat.StreamViewType) return 'present';
    throw new Error(
      `The stream of the table ${table} must have ${streamFormat.StreamViewType}. Turn it off first.`,
    );
  }
  const input = { TableName: table, StreamSpecification: streamFormat };
  if (!(await isSupported(act(call, 'UpdateTable', input), 'ValidationException'))) return 'unsupported';
  await untilActive(call, table, pauseMs);
  return 'added';
}

/** Items with an old `expires_at` are deleted. */
async function setExpiry(call: AwsCall, table: string): Promise<Part> {
  const { TimeToLiveDescription: now } = await act(call, 'DescribeTimeToLive', { TableName: table });
  const { TimeToLiveStatus: status = '' } = (now ?? {}) as { readonly TimeToLiveStatus?: string };
  if (status.startsWith('ENABL')) return 'present';
  const TimeToLiveSpecification = { AttributeName: expiryAttribute, Enabled: true };
  const update = act(call, 'UpdateTimeToLive', { TableName: table, TimeToLiveSpecification });
  return (await isSupported(update, 'UnknownOperationException')) ? 'added' : 'unsupported';
}

/** False if the database refuses the action with this error, as an embedded one does that does not know it. */
async function isSupported(action: Promise<unknown>, refusal: string): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.type === refusal) return false;
    throw error;
  }
}

const backupTries = 30;

/** A table that was just created may not have backups at once (ContinuousBackupsUnavailableException). */
export async function keepRecoverable(call: AwsCall, table: string, pauseMs: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
      await act(call, 'UpdateContinuousBackups', { TableName: table, PointInTimeRecoverySpecification });
      return;
    } catch (error) {
      const isEarly = error instanceof AwsError && error.type === 'ContinuousBackupsUnavailableException';
      if (!isEarly || tries === backupTries) throw error;
      await pause(pauseMs);
    }
  }
}
