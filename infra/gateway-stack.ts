/** The gateway without its tables, as one stack: routes from the route table, parts from the constructs. */
import { join } from 'node:path';
import { type Environment, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { TableName } from '../lib/core/tables.ts';
import type { AlarmedPart } from './alarms/row.ts';
import type { Deployment } from './alarms/table.ts';
import { Aggregator } from './constructs/aggregator.ts';
import { stageName } from './constructs/api/api-stage.ts';
import { FunctionHost } from './constructs/api/function-host.ts';
import type { GatewayApi } from './constructs/api/gateway-api.ts';
import { WebAcl } from './constructs/api/web-acl.ts';
import { CatalogSeed } from './constructs/catalog-seed.ts';
import { DailyExport } from './constructs/daily-export.ts';
import { FargateGateway } from './constructs/fargate/fargate-gateway.ts';
import { chooseEndpoints } from './constructs/function/host-variables.ts';
import type { OperationResources } from './constructs/permissions/operation-permissions.ts';
import { type TableAddresses, type UsedTable, usedTables } from './constructs/table/used-table.ts';
import { GatewayLogs } from './constructs/watching/gateway-logs.ts';
import type { Counting } from './constructs/watching/line-metrics.ts';
import { Measures } from './constructs/watching/measures.ts';
import { watch, watchedLines } from './constructs/watching/watching.ts';
import { adminStackName } from './names.ts';
import { addOutputs } from './outputs.ts';
import type { FargateSettings } from './settings/groups/fargate.ts';
import type { Settings } from './settings/settings.ts';

export interface GatewayStackProps extends Omit<Settings, 'stackName'> {
  /** That of the stack of the tables. */
  readonly env: Environment | undefined;
  readonly tables: TableAddresses;
  /** The name of the bucket of files; undefined: none are stored. */
  readonly bucket: string | undefined;
  readonly stackTags: Record<string, string>;
  /** The directory of the bundles: one subdirectory for each operation, `background`, `batches-run`, `aggregate`, `export` and `seed`. */
  readonly bundles: string;
  /** The directory of the `Dockerfile` of the server. */
  readonly image: string;
}

/** Where callers reach the gateway. */
interface Entry extends Pick<GatewayApi, 'baseUrl' | 'anthropicBaseUrl'> {
  /** The ARN of what a web ACL stands before. */
  readonly entryArn: string;
}

export class GatewayStack extends Stack {
  private readonly props: GatewayStackProps;
  private readonly tables: Readonly<Record<TableName, UsedTable>>;
  private readonly providerParametersPrefix: string;
  private readonly counting: Counting;
  private readonly measures = new Measures();
  private readonly logs: GatewayLogs;

  constructor(scope: Construct, id: string, props: GatewayStackProps) {
    super(scope, id, {
      description: 'Model gateway: one OpenAI-shaped API over many model providers',
      tags: props.stackTags,
      ...(props.env && { env: props.env }),
    });
    this.props = props;
    chooseEndpoints(this, props);
    this.providerParametersPrefix = `/${this.stackName}/providers`;
    this.tables = usedTables(this, props.tables);
    const watched = watchedLines(this.deployment, props);
    this.counting = { namespace: this.stackName, watched };
    this.logs = new GatewayLogs(this, { ...props, counting: this.counting });
    const entry = props.fargate ? this.server(props.fargate) : this.functions();
    new CatalogSeed(this, 'CatalogSeed', {
      bundle: join(props.bundles, 'seed'),
      catalog: this.tables.catalog,
      logLevel: props.logLevel,
      logs: this.logs.plain,
      kmsKeyArn: props.kmsKeyArn,
      providerParametersPrefix: this.providerParametersPrefix,
    });
    const aggregator = new Aggregator(this, 'Aggregator', {
      bundle: join(props.bundles, 'aggregate'),
      usage: this.tables.usage,
      access: this.tables.access,
      ledgerDays: props.ledgerDays,
      creditRegion: props.creditRegion,
      logLevel: props.logLevel,
      logs: this.logs.records,
      kmsKeyArn: props.kmsKeyArn,
      reservedConcurrency: props.reservedConcurrency.get('aggregate'),
      counting: this.counting,
      otlpEndpoint: props.otlpEndpoint,
      countsForDashboard: props.dashboard !== undefined,
    });
    this.measures.ofAggregator(aggregator.function.handler, aggregator.failed);
    if (props.webAcl)
      new WebAcl(this, 'WebAcl', {
        webAcl: props.webAcl,
        resource: entry.entryArn,
        name: this.stackName,
      });
    if (props.exportBucket) this.export(props.exportBucket);
    this.measures.ofTables(this.tables);
    if (props.dashboard) this.measures.ofAdminApi(adminStackName(this.stackName), stageName);
    this.measures.countLines(this.stackName, watched);
    watch(this, {
      ...props,
      name: this.stackName,
      deployment: this.deployment,
      measures: this.measures,
      logGroups: this.logs.names,
    });
    addOutputs(this, {
      ...props,
      entry,
      tables: this.tables,
      providerParametersPrefix: this.providerParametersPrefix,
    });
  }

  /** A function for each operation or group of them, behind an API. */
  private functions(): Entry {
    const { props, logs, measures } = this;
    return new FunctionHost(this, { ...props, ...this.operationResources, logs, measures }).api;
  }

  /** One server for all operations, behind a load balancer. */
  private server(fargate: FargateSettings): Entry {
    const { image, domain, logLevel, kmsKeyArn } = this.props;
    const gateway = new FargateGateway(this, 'Gateway', {
      ...this.operationResources,
      image,
      fargate,
      domain,
      logLevel,
      logs: this.logs.records,
      kmsKeyArn,
      counting: this.counting,
    });
    this.measures.ofTasks(gateway.tasks);
    this.logs.names.push(gateway.logGroup);
    return gateway.entry;
  }

  private export(bucket: string): void {
    const { bundles, exportFormat, ledgerDays, logLevel, kmsKeyArn } = this.props;
    const { handler } = new DailyExport(this, 'DailyExport', {
      bundle: join(bundles, 'export'),
      bucket,
      format: exportFormat,
      usage: this.tables.usage,
      access: this.tables.access,
      ledgerDays,
      logLevel,
      logs: this.logs.records,
      kmsKeyArn,
      counting: this.counting,
    });
    this.measures.ofExport(handler);
  }

  private get deployment(): Deployment {
    const { compute, exportBucket, dashboard } = this.props;
    const has = new Set<AlarmedPart>();
    if (exportBucket !== '') has.add('export');
    if (dashboard) has.add('dashboard');
    return { compute, has };
  }

  private get operationResources(): OperationResources {
    const { tables, providerParametersPrefix, props } = this;
    return { ...props, tables, providerParametersPrefix, namespace: this.stackName };
  }
}
