/**
 * The function that exports the ledger to a bucket: each night it writes the day that is over. The bucket is the operator's, in the
 * account and region of the stack.
 */
import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaHandler } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { exportPrefix } from '../../lib/metering/export/export-day.ts';
import type { ExportFormat } from '../../lib/metering/export/formats.ts';
import { type FunctionParts, GatewayFunction } from './function/gateway-function.ts';
import { allowExports } from './permissions/bucket-permissions.ts';
import type { UsedTable } from './table/used-table.ts';
import { type Counting, LineMetrics } from './watching/line-metrics.ts';

interface DailyExportProps extends FunctionParts {
  readonly bucket: string;
  readonly format: ExportFormat;
  readonly usage: UsedTable;
  /** The names of tenants, and their expected throughput. */
  readonly access: UsedTable;
  readonly ledgerDays: number;
  readonly counting: Counting;
}

export class DailyExport extends Construct {
  readonly handler: LambdaHandler;

  constructor(scope: Construct, id: string, props: DailyExportProps) {
    super(scope, id);
    const { usage, access, bundle, bucket, logLevel, logs, kmsKeyArn, counting } = props;
    const exporter = new GatewayFunction(this, 'Function', {
      description: 'Exports the ledger of a day to a bucket',
      bundle,
      // Lambda's longest.
      timeout: Duration.minutes(15),
      memory: 1_024,
      logLevel,
      logs,
      kmsKeyArn,
    });
    this.handler = exporter.handler;
    const { permissions } = exporter;
    permissions.reads(usage);
    permissions.acts('Query', usage);
    permissions.reads(access);
    permissions.listsTenants(access);
    permissions.keepsLedger(props.ledgerDays);
    allowExports(permissions, bucket, exportPrefix);
    exporter.handler.addEnvironment('GATEWAY_EXPORT_BUCKET', bucket);
    exporter.handler.addEnvironment('GATEWAY_EXPORT_FORMAT', props.format);
    new LineMetrics(this, 'Metrics', { logs: exporter.logs, ...counting, of: 'export' });
    new Rule(this, 'Schedule', {
      description: 'Exports the ledger of yesterday',
      // Every request of the day has ended by then, or was finished by the aggregator.
      schedule: Schedule.cron({ hour: '2', minute: '15' }),
      targets: [new LambdaFunction(exporter.live)],
    });
    new CfnOutput(this, 'FunctionName', {
      value: exporter.live.functionName,
      description: 'Invoke it with {"day": "2026-11-21"} to export a day again',
    });
  }
}
