/**
 * DynamoDB: an embedded database answers, and this adds what it lacks of the descriptions of tables. Sources: docs.aws.amazon.com DynamoDB,
 * API_DescribeTable, API_DescribeTimeToLive, API_DescribeContinuousBackups.
 */
import { AwsRefusal, type CallContext, type FakeAction, type FakeService, PassedOn } from '../service.ts';
import { dynamoDbAccess } from './dynamodb-access.ts';

export interface FakeTable {
  readonly timeToLive?: string;
  readonly recovery?: boolean;
  readonly isProtected?: boolean;
  readonly stream?: string;
  /** The ARN of the operator's key that encrypts it. */
  readonly key?: string;
}

interface DynamoDbOptions {
  /** That of the database; it may hold its access key. */
  readonly endpoint: string;
  /** What the database lacks, by name. */
  readonly tables?: Readonly<Record<string, FakeTable>>;
  /** Further actions, such as those of backups. */
  readonly actions?: Readonly<Record<string, FakeAction>>;
}

export function dynamodb({ endpoint, tables = {}, actions = {} }: DynamoDbOptions): FakeService {
  const passOn = passingOn(endpoint);
  const keyOf = (table: string) => tables[table]?.key;
  return {
    name: 'dynamodb',
    protocol: 'json',
    needs: (action, input, context) => dynamoDbAccess(action, input, context, keyOf),
    otherwise: passOn,
    actions: {
      async DescribeTable(input, context) {
        const given = await passOn(context);
        if (given.status !== 200) return given;
        const name = String(input.TableName);
        const { Table } = JSON.parse(given.body.toString());
        return { Table: { ...Table, ...described(name, tables[name] ?? {}, context) } };
      },
      async DescribeTimeToLive({ TableName }, context) {
        await refuseUnknown(passOn, String(TableName), context);
        const AttributeName = tables[String(TableName)]?.timeToLive;
        const status = AttributeName === undefined ? 'DISABLED' : 'ENABLED';
        return { TimeToLiveDescription: { TimeToLiveStatus: status, AttributeName } };
      },
      async DescribeContinuousBackups({ TableName }, context) {
        await refuseUnknown(passOn, String(TableName), context);
        const isOn = tables[String(TableName)]?.recovery === true;
        const PointInTimeRecoveryStatus = isOn ? 'ENABLED' : 'DISABLED';
        return {
          ContinuousBackupsDescription: {
            ContinuousBackupsStatus: 'ENABLED',
            PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus, RecoveryPeriodInDays: 35 },
          },
        };
      },
      ...actions,
    },
  };
}

const described = (name: string, table: FakeTable, { region, account }: CallContext) => ({
  TableArn: `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  DeletionProtectionEnabled: table.isProtected === true,
  ...(table.stream !== undefined && {
    StreamSpecification: { StreamEnabled: true, StreamViewType: table.stream },
    LatestStreamArn: `arn:aws:dynamodb:${region}:${account}:table/${name}/stream/2026-11-20T00:00:00.000`,
  }),
  ...(table.key !== undefined && {
    SSEDescription: { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: table.key },
  }),
});

async function refuseUnknown(passOn: PassOn, table: string, context: CallContext): Promise<void> {
  const headers = { ...context.request.headers, 'x-amz-target': 'DynamoDB_20120810.DescribeTable' };
  const body = Buffer.from(JSON.stringify({ TableName: table }));
  const { status } = await passOn({ ...context, request: { ...context.request, headers, body } });
  if (status !== 200) throw new AwsRefusal('ResourceNotFoundException', `Table: ${table} not found`);
}

type PassOn = (context: CallContext) => Promise<PassedOn>;

/** Signs with the access key of the database, which verifies no signature. */
function passingOn(endpoint: string): PassOn {
  const url = new URL(endpoint);
  const key = url.username || 'local';
  url.username = '';
  const authorization = `AWS4-HMAC-SHA256 Credential=${key}/20260101/local/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}`;
  return async ({ request: { headers, body } }) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': headers['content-type'] ?? '',
        'x-amz-target': headers['x-amz-target'] ?? '',
        'x-amz-date': headers['x-amz-date'] ?? '',
      },
      body: new Uint8Array(body),
    });
    const type = answer.headers.get('content-type') ?? '';
    return new PassedOn(answer.status, { 'content-type': type }, Buffer.from(await answer.arrayBuffer()));
  };
}
