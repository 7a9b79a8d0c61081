/** The gateway without its tables, as one stack: routes from the route table, parts from the constructs. */
import { join } from 'node:path';
import { Duration, type Environment, Stack } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation } from '../lib/core/operations.ts';
import { type ServedFunction, servedFunctions } from '../lib/core/served-functions.ts';
import type { TableName } from '../lib/core/tables.ts';
import { isOnWeb, webBundle } from '../server/web/web-operations.ts';
import type { AlarmedPart } from './alarms/row.ts';
import type { Deployment } from './alarms/table.ts';
import { Aggregator } from './constructs/aggregator.ts';
import { stageName } from './constructs/api/api-stage.ts';
import { GatewayApi } from './constructs/api/gateway-api.ts';
import { WebAcl } from './constructs/api/web-acl.ts';
import { Background } from './constructs/background.ts';
import { BatchesWorker } from './constructs/batches/batches-worker.ts';
import { CatalogSeed } from './constructs/catalog-seed.ts';
import { DailyExport } from './constructs/daily-export.ts';
import { FargateGateway } from './constructs/fargate/fargate-gateway.ts';
import { CanaryDeployments } from './constructs/function/canary.ts';
import { GatewayFunction } from './constructs/function/gateway-function.ts';
import { chooseEndpoints } from './constructs/function/host-variables.ts';
import {
  allowBatches,
  allowManyRequests,
  allowOperation,
  allowStarts,
  keepsRecords,
  type OperationResources,
} from './constructs/permissions/operation-permissions.ts';
import type { Permissions } from './constructs/permissions/permissions.ts';
import { type TableAddresses, type UsedTable, usedTables } from './constructs/table/used-table.ts';
import { type Counting, LineMetrics } from './constructs/watching/line-metrics.ts';
import { type LogKeeping, logGroup } from './constructs/watching/log-lines.ts';
import { Measures } from './constructs/watching/measures.ts';
import { watch, watchedLines } from './constructs/watching/watching.ts';
import { OriginSecret } from './constructs/web/origin-secret.ts';
import {
  acknowledgeWebCode,
  GatewayWebFunction,
  WebLogs,
  webFunctionName,
} from './constructs/web/web-function.ts';
import { adminStackName, pascalCase } from './names.ts';
import { addOutputs } from './outputs.ts';
import type { FargateSettings } from './settings/groups/fargate.ts';
import type { WebSettings } from './settings/groups/web.ts';
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
  /** Of what serves requests that call models. */
  private readonly logGroups: string[] = [];
  private ownRequestLogs: LogGroup | undefined;
  private ownWebLogs: WebLogs | undefined;
  /** That creates responses in the background; absent where a server does it itself. */
  private background: Background | undefined;
  /** That works on batches; absent where a server does it itself, and where no files are stored. */
  private batches: BatchesWorker | undefined;

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
    const entry = props.fargate ? this.server(props.fargate) : this.api();
    new CatalogSeed(this, 'CatalogSeed', {
      bundle: join(props.bundles, 'seed'),
      catalog: this.tables.catalog,
      logLevel: props.logLevel,
      logs: this.logs,
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
      logs: this.recordLogs,
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
      logGroups: this.logGroups,
    });
    addOutputs(this, {
      ...props,
      entry,
      tables: this.tables,
      providerParametersPrefix: this.providerParametersPrefix,
    });
  }

  /** A function for each operation or group of them, behind an API. */
  private api(): Entry {
    const { web, canary } = this.props;
    const api = new GatewayApi(this, 'Gateway', this.props);
    const canaries =
      canary && new CanaryDeployments(this, 'Canary', { canary, apiName: this.stackName, stageName });
    this.background = this.worker();
    this.batches = this.batchesWorker();
    const originSecret = web && new OriginSecret(this, 'OriginSecret', { number: web.originSecret });
    for (const served of servedFunctions) {
      const [operation] = served.operations;
      if (originSecret && operation && isOnWeb(operation))
        api.serveOnWeb(operation, this.webFunction(operation, web, originSecret));
      else {
        const gatewayFunction = this.function(served);
        api.serve(served, gatewayFunction);
        canaries?.add(served, gatewayFunction);
      }
    }
    acknowledgeWebCode(this);
    this.measures.ofApi(this.stackName, stageName);
    return api;
  }

  private worker(): Background {
    const { bundles, memory, logLevel, kmsKeyArn, reservedConcurrency } = this.props;
    const background = new Background(this, 'Background', {
      ...this.operationResources,
      bundle: join(bundles, 'background'),
      memory,
      logLevel,
      logs: this.requestLogs,
      kmsKeyArn,
      reservedConcurrency: reservedConcurrency.get('background'),
    });
    this.measures.ofBackground(background.function.handler);
    return background;
  }

  private batchesWorker(): BatchesWorker | undefined {
    const { bucket, bundles, logLevel, kmsKeyArn } = this.props;
    if (bucket === undefined) return undefined;
    return new BatchesWorker(this, 'BatchesWorker', {
      ...this.operationResources,
      bucket,
      bundle: join(bundles, 'batches-run'),
      logLevel,
      logs: this.requestLogs,
      kmsKeyArn,
    });
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
      logs: this.recordLogs,
      kmsKeyArn,
      counting: this.counting,
    });
    this.measures.ofTasks(gateway.tasks);
    this.logGroups.push(gateway.logGroup);
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
      logs: this.recordLogs,
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

  private function({ name, operations, method, paths, timeoutSeconds }: ServedFunction): GatewayFunction {
    const gatewayFunction = new GatewayFunction(this, pascalCase(name), {
      description: `${method} ${paths[0]}`,
      bundle: join(this.props.bundles, name),
      timeout: Duration.seconds(timeoutSeconds),
      memory: Math.max(this.props.memory, ...operations.map(({ minMemory = 0 }) => minMemory)),
      logLevel: this.props.logLevel,
      logs: operations.some(keepsRecords) ? this.requestLogs : this.logs,
      reservedConcurrency: this.props.reservedConcurrency.get(name),
      kmsKeyArn: this.props.kmsKeyArn,
      provisioned: this.props.provisioned.get(name),
    });
    for (const operation of operations) this.allow(gatewayFunction.permissions, operation);
    if (operations.some(keepsRecords)) this.measures.ofGenerating(gatewayFunction.handler);
    return gatewayFunction;
  }

  private webFunction(
    operation: Operation,
    settings: WebSettings,
    originSecret: OriginSecret,
  ): GatewayWebFunction {
    const webFunction = new GatewayWebFunction(this, `Web${pascalCase(operation.name)}`, {
      name: webFunctionName(this.stackName, operation.name),
      description: `${operation.method} ${operation.path}`,
      bundle: join(this.props.bundles, webBundle),
      timeout: Duration.seconds(operation.timeoutSeconds),
      settings,
      originSecret,
      logLevel: this.props.logLevel,
      logs: this.webLogs,
      kmsKeyArn: this.props.kmsKeyArn,
      operation: operation.name,
      allow: (permissions) => {
        this.allow(permissions, operation);
        allowManyRequests(permissions, operation, this.operationResources);
      },
    });
    return webFunction;
  }

  private allow(permissions: Permissions, operation: Operation): void {
    allowOperation(permissions, operation, this.operationResources);
    if (this.background) allowStarts(permissions, operation, this.background.function.live);
    if (this.batches) allowBatches(permissions, operation, this.batches.function.live);
  }

  /**
   * One group for all functions for events that call models: each with its own would need a filter for each line that is counted, and
   * a stack may have 500 resources. Source: docs.aws.amazon.com Lambda, monitoring-cloudwatchlogs-loggroups.
   */
  private get requestLogs(): LogGroup {
    if (this.ownRequestLogs) return this.ownRequestLogs;
    const logs = logGroup(this, 'RequestLogs', this.recordLogs);
    this.ownRequestLogs = logs;
    this.logGroups.push(logs.logGroupName);
    new LineMetrics(this, 'RequestLines', { logs, ...this.counting, of: 'requests' });
    return logs;
  }

  /** The same for Web Functions. */
  private get webLogs(): WebLogs {
    if (this.ownWebLogs) return this.ownWebLogs;
    const web = new WebLogs(this, 'Web', this.recordLogs);
    this.ownWebLogs = web;
    this.logGroups.push(web.group.logGroupName);
    new LineMetrics(web, 'Usage', { logs: web.group, ...this.counting, of: 'requests', isWrapped: true });
    return web;
  }

  private get logs(): LogKeeping {
    return { days: this.props.logDays, outliveStack: false };
  }

  /** Where a record is that could not be written into the ledger. */
  private get recordLogs(): LogKeeping {
    return { days: this.props.logDays, outliveStack: this.props.retain };
  }

  private get operationResources(): OperationResources {
    const { tables, providerParametersPrefix, props } = this;
    return { ...props, tables, providerParametersPrefix, namespace: this.stackName };
  }
}
