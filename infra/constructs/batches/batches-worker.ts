/**
 * The function that works on batches. Lambda keeps the events that name them; when there is more to do later, it makes a schedule, which
 * invokes it once and is deleted then. Each hour it looks for batches that no one works on. It answers lines as the functions of
 * requests do, without a client.
 */
import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Settings } from '../../settings/settings.ts';
import { GatewayFunction } from '../function/gateway-function.ts';
import { allowOwnStarts } from '../function/own-starts.ts';
import { allowFiles } from '../permissions/bucket-permissions.ts';
import { allowModels } from '../permissions/model-permissions.ts';
import { allowItems, type OperationResources } from '../permissions/operation-permissions.ts';
import { allowProviderKeys } from '../permissions/secret-permissions.ts';
import { traceRequests } from '../permissions/telemetry-permissions.ts';
import type { LogKeeping } from '../watching/log-lines.ts';
import { BedrockBatchRole } from './bedrock-role.ts';

interface BatchesWorkerProps extends OperationResources, Pick<Settings, 'logLevel' | 'kmsKeyArn'> {
  readonly bundle: string;
  /** Of files. */
  readonly bucket: string;
  /** What requests that call models write. */
  readonly logs: LogGroup | LogKeeping;
}

/** One processor. Source: docs.aws.amazon.com Lambda, configuration-memory. */
const memory = 1_769;

/** Lambda's longest. */
const timeout = Duration.minutes(15);

const rows = {
  reads: ['access', 'catalog', 'state', 'usage', 'files'],
  stateItems: ['note'],
  writes: ['state', 'usage', 'files'],
  updates: ['usage', 'files'],
  queries: ['files'],
  deletes: ['files'],
} as const;

export class BatchesWorker extends Construct {
  readonly function: GatewayFunction;

  constructor(scope: Construct, id: string, props: BatchesWorkerProps) {
    super(scope, id);
    const { bundle, logLevel, logs, kmsKeyArn } = props;
    this.function = new GatewayFunction(this, 'Function', {
      description: 'Works on batches',
      bundle,
      timeout,
      memory,
      logLevel,
      logs,
      kmsKeyArn,
    });
    this.allow(props);
    // A worker that fails leaves its batch to the hourly look.
    this.function.alias.configureAsyncInvoke({ maxEventAge: Duration.hours(1), retryAttempts: 1 });
    allowOwnStarts(this, this.function, '-batches');
    new Rule(this, 'Look', {
      description: 'Looks for batches that no one works on',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [
        new LambdaFunction(this.function.live, { event: RuleTargetInput.fromObject({ look: true }) }),
      ],
    });
  }

  private allow(props: BatchesWorkerProps): void {
    const { tables, bucket, fileDays, providerParametersPrefix, cacheSeconds, bedrock } = props;
    const { ledgerDays, creditRegion, otlpEndpoint, traceProviders } = props;
    const { permissions } = this.function;
    allowItems(permissions, tables, rows);
    allowFiles(permissions, bucket, fileDays, ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']);
    allowProviderKeys(permissions, providerParametersPrefix);
    permissions.cachesContent(cacheSeconds);
    allowModels(permissions, bedrock);
    permissions.keepsLedger(ledgerDays);
    permissions.servesCreditIn(creditRegion);
    traceRequests(permissions, { otlpEndpoint, traceProviders });
    if (bedrock.region === '') this.allowBedrock(props);
  }

  /** Its jobs read and write the bucket of files, which has to be in the region where it is called. */
  private allowBedrock({ bucket, bedrock, kmsKeyArn }: BatchesWorkerProps): void {
    const files = Bucket.fromBucketName(this, 'Files', bucket);
    const { statements, environment } = new BedrockBatchRole(this, 'Bedrock', {
      bucket: files,
      bedrock,
      kmsKeyArn,
    });
    for (const statement of statements) this.function.handler.addToRolePolicy(statement);
    this.function.permissions.setVariables(environment);
  }
}
