/** An account with one deployed gateway in which nothing is wrong, as the services of AWS describe it. A test changes what it is about. */
import { bedrockModels } from '../../../cli/check/rows/bedrock.ts';
import { cognitoIdp } from '../cognito/idp.ts';
import { createPool, type Pool } from '../cognito/pool.ts';
import { account } from './fake-aws.ts';
import type { FakeService } from './service.ts';
import { apiGateway, type FakeThrottle } from './services/api-gateway.ts';
import { bedrock, type FakeModelAccess } from './services/bedrock.ts';
import { cloudFormation, type FakeStack } from './services/cloudformation.ts';
import { cloudWatch, type FakeAlarm } from './services/cloudwatch.ts';
import { dynamodb, type FakeTable } from './services/dynamodb.ts';
import type { FakeConcurrency, FakeMapping } from './services/lambda.ts';
import { lambda } from './services/lambda.ts';
import { logs } from './services/logs.ts';
import { serviceQuotas } from './services/service-quotas.ts';
import { type FakeSubscription, sns } from './services/sns.ts';
import { type FakeParameters, ssm } from './services/ssm.ts';
import { sts } from './services/sts.ts';

/** All of it can be changed. */
export interface FakeAccount {
  readonly stacks: Record<string, FakeStack>;
  readonly parameters: FakeParameters;
  readonly settings: Record<string, string>;
  readonly quotas: Record<string, number>;
  readonly concurrency: FakeConcurrency;
  readonly mapping: FakeMapping;
  readonly throttle: FakeThrottle & { rate: number };
  readonly stages: Record<string, FakeThrottle>;
  readonly models: Record<string, FakeModelAccess>;
  readonly form: { hasUseCase: boolean };
  readonly tables: Record<string, FakeTable>;
  readonly alarms: FakeAlarm[];
  readonly maxima: Record<string, number>;
  readonly topics: Record<string, FakeSubscription[]>;
  readonly groups: Record<string, number | undefined>;
  /** Of the people of the dashboard. */
  readonly pool: Pool;
}

export const region = 'eu-west-1';
export const topic = `arn:aws:sns:${region}:${account}:Gateway-Alarms`;
const poolId = `${region}_TestPool1`;
const bootstrapVersion = '/cdk-bootstrap/hnb659fds/version';

/** `baseUrl`: where the gateway answers, with `/v1`. */
export function healthyAccount(baseUrl: string): FakeAccount {
  const pool = createPool({}, poolId);
  pool.add('ops@example.com', { groups: ['operator'] });
  const table: FakeTable = { timeToLive: 'expires_at', recovery: true, isProtected: true };
  return {
    stacks: {
      Gateway: {
        status: 'UPDATE_COMPLETE',
        outputs: {
          OpenAiBaseUrl: baseUrl,
          AnthropicBaseUrl: baseUrl.replace('/v1', ''),
          CatalogTable: 'catalog',
          AccessTable: 'access',
          FilesTable: 'files',
          StateTable: 'state',
          UsageTable: 'usage',
          ProviderParametersPrefix: '/Gateway/providers',
          LedgerDays: '90',
          Region: region,
        },
        resources: [
          ['GatewayApi1', 'AWS::ApiGateway::RestApi', 'a1b2c3'],
          ['GatewayStage1', 'AWS::ApiGateway::Stage', 'prod'],
          ['AggregatorFunction1', 'AWS::Lambda::Function', 'Gateway-Aggregator-1'],
          [
            'AggregatorFailed1',
            'AWS::SQS::Queue',
            `https://sqs.${region}.amazonaws.com/${account}/Gateway-Failed-1`,
          ],
          ['AggregatorStream1', 'AWS::Lambda::EventSourceMapping', '0a1b2c3d-1111-2222-3333-444455556666'],
          ['AlarmsTopic1', 'AWS::SNS::Topic', topic],
          ['AlarmsErrors1', 'AWS::CloudWatch::Alarm', 'Gateway errors'],
          ['ChatLogs1', 'AWS::Logs::LogGroup', 'Gateway-ChatLogs-1'],
          ['ModelsLogs1', 'AWS::Logs::LogGroup', 'Gateway-ModelsLogs-1'],
        ],
      },
      GatewayData: { status: 'CREATE_COMPLETE', isProtected: true },
      GatewayAdmin: {
        status: 'CREATE_COMPLETE',
        outputs: { DashboardUrl: baseUrl.replace('/v1', '/dashboard/overview'), UserPoolId: poolId },
      },
    },
    parameters: new Map([
      [bootstrapVersion, { value: '30', type: 'String' }],
      ['/Gateway/providers/openai/api-key', { value: 'sk-secret' }],
    ]),
    settings: { '/ssm/parameter-store/high-throughput-enabled': 'false' },
    quotas: { 'lambda/L-B99A9384': 1_000 },
    concurrency: { limit: 1_000 },
    mapping: { State: 'Enabled', LastProcessingResult: 'OK' },
    throttle: { rate: 10_000, burst: 5_000 },
    stages: { 'a1b2c3/prod': { rate: 1_000, burst: 500 } },
    models: Object.fromEntries(bedrockModels().map((id) => [id, { agreement: 'AVAILABLE' }])),
    form: { hasUseCase: true },
    tables: {
      catalog: table,
      access: table,
      files: table,
      state: { ...table, recovery: false },
      usage: { ...table, stream: 'NEW_AND_OLD_IMAGES' },
    },
    alarms: [{ name: 'Gateway errors', state: 'OK', actions: [topic] }],
    maxima: { 'AWS/Lambda/IteratorAge': 2_500, 'AWS/SQS/ApproximateNumberOfMessagesVisible': 0 },
    topics: { [topic]: [{ endpoint: 'ops@acme.example', isConfirmed: true }] },
    groups: { 'Gateway-ChatLogs-1': 30, 'Gateway-ModelsLogs-1': 30 },
    pool,
  };
}

/** The services of an account, which look at it with each call. */
export const servicesOf = (fake: FakeAccount, database: string): readonly FakeService[] => [
  sts(),
  cloudFormation(fake.stacks),
  ssm(fake),
  serviceQuotas(fake.quotas),
  lambda(fake.concurrency, fake.mapping),
  apiGateway({ account: fake.throttle, stages: fake.stages }),
  bedrock({ access: fake.models, form: fake.form }),
  cloudWatch(fake),
  sns(fake.topics),
  logs(fake.groups),
  dynamodb({ endpoint: database, tables: fake.tables }),
  cognitoIdp(fake.pool),
];
