/**
 * Whether the tables are as the stack makes them: a restored table lacks expiry, recovery and protection. Sources: docs.aws.amazon.com
 * DynamoDB, API_DescribeTable, API_DescribeTimeToLive, API_DescribeContinuousBackups, PointInTimeRecovery.
 */

import { pascalCase } from '../../../infra/names.ts';
import { act, streamFormat } from '../../../infra/tables/table-calls.ts';
import { expiryAttribute, kindOf, type TableName, tableNames } from '../../../lib/core/tables.ts';
import { type Finding, failed, ok, type StackCheck, type StackContext, warning } from '../check.ts';
import { outputOf } from '../deployed-gateway.ts';
import { isMissing } from '../errors.ts';

export const tables: StackCheck = {
  id: 'tables',
  title: 'Tables',
  of: 'stack',
  about:
    'The tables exist, expire items, can be restored, cannot be deleted by mistake, and the ledger has its stream.',
  needs: ['dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive', 'dynamodb:DescribeContinuousBackups'],
  run: async (context) => await Promise.all(tableNames.map((name) => checkTable(context, name))),
};

interface Description {
  readonly TableStatus?: string;
  readonly DeletionProtectionEnabled?: boolean;
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string };
}

async function checkTable({ aws, gateway }: StackContext, purpose: TableName): Promise<Finding> {
  const table = await outputOf(gateway, `${pascalCase(purpose)}Table`);
  const input = { TableName: table };
  const call = aws.json('dynamodb');
  const named = `${purpose} (${table})`;
  try {
    const { Table } = await act(call, 'DescribeTable', input);
    const { TimeToLiveDescription } = await act(call, 'DescribeTimeToLive', input);
    const { ContinuousBackupsDescription } = await act(call, 'DescribeContinuousBackups', input);
    const description = Table as Description;
    const serious = [
      ...(description.TableStatus === 'ACTIVE' ? [] : [`its status is ${description.TableStatus}`]),
      ...(hasStream(purpose, description) ? [] : [`no stream with ${streamFormat.StreamViewType}`]),
    ];
    const lacks = [
      ...(expires(TimeToLiveDescription) ? [] : [`no expiry by ${expiryAttribute}`]),
      // What is deleted of stored responses may be meant to be gone.
      ...(purpose === 'state' || isRecoverable(ContinuousBackupsDescription) ? [] : ['no recovery']),
      ...(description.DeletionProtectionEnabled ? [] : ['no deletion protection']),
    ];
    if (serious.length > 0) return failed(`${named}: ${serious.join(', ')}.`, 'Deploy the gateway again.');
    if (lacks.length === 0) return ok(`${named} is complete.`);
    const remedy =
      'Deploy the gateway again; of an adopted table, turn these on yourself. retain=false has no protection.';
    return warning(`${named}: ${lacks.join(', ')}.`, remedy);
  } catch (error) {
    if (!isMissing(error, 'ResourceNotFoundException', 'TableNotFoundException')) throw error;
    return failed(
      `${named} does not exist.`,
      'Restore it (gateway restore), or adopt another one with -c tables.',
    );
  }
}

const hasStream = (purpose: TableName, { StreamSpecification: stream }: Description) =>
  !kindOf(purpose).hasStream ||
  (stream?.StreamEnabled === true && stream.StreamViewType === streamFormat.StreamViewType);

function expires(value: unknown): boolean {
  const { TimeToLiveStatus, AttributeName } = (value ?? {}) as Readonly<Record<string, string | undefined>>;
  return TimeToLiveStatus?.startsWith('ENABL') === true && AttributeName === expiryAttribute;
}

function isRecoverable(value: unknown): boolean {
  const { PointInTimeRecoveryDescription } = (value ?? {}) as {
    readonly PointInTimeRecoveryDescription?: { readonly PointInTimeRecoveryStatus?: string };
  };
  return PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED';
}
