/** A gateway of functions behind an API: one for each operation or group of them, and their workers. */
import { join } from 'node:path';
import { Duration, type Stack } from 'aws-cdk-lib';
import type { Operation } from '../../../lib/core/operations.ts';
import { type ServedFunction, servedFunctions } from '../../../lib/core/served-functions.ts';
import { isOnWeb, webBundle } from '../../../server/web/web-operations.ts';
import { pascalCase } from '../../names.ts';
import type { Settings } from '../../settings/settings.ts';
import { Background } from '../background.ts';
import { BatchesWorker } from '../batches/batches-worker.ts';
import { CanaryDeployments } from '../function/canary.ts';
import { GatewayFunction } from '../function/gateway-function.ts';
import {
  allowBatches,
  allowManyRequests,
  allowOperation,
  allowStarts,
  keepsRecords,
  type OperationResources,
} from '../permissions/operation-permissions.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { GatewayLogs } from '../watching/gateway-logs.ts';
import type { Measures } from '../watching/measures.ts';
import { OriginSecret } from '../web/origin-secret.ts';
import { acknowledgeWebCode, GatewayWebFunction, webFunctionName } from '../web/web-function.ts';
import { stageName } from './api-stage.ts';
import { type ApiSettings, GatewayApi } from './gateway-api.ts';

interface FunctionHostProps
  extends OperationResources,
    ApiSettings,
    Pick<Settings, 'canary' | 'kmsKeyArn' | 'logLevel' | 'memory' | 'provisioned' | 'reservedConcurrency'> {
  /** Of operations on Web Functions; absent: there are none. */
  readonly web?: Settings['web'];
  /** The directory of the bundles. */
  readonly bundles: string;
  readonly logs: GatewayLogs;
  readonly measures: Measures;
}

export class FunctionHost {
  readonly api: GatewayApi;
  private readonly stack: Stack;
  private readonly props: FunctionHostProps;
  /** That creates responses in the background. */
  private readonly background: Background;
  /** That works on batches; absent where no files are stored. */
  private readonly batches: BatchesWorker | undefined;

  /** Its parts are of the stack itself: their names in the template have no other in front. */
  constructor(stack: Stack, props: FunctionHostProps) {
    this.stack = stack;
    this.props = props;
    const { web, canary, measures } = props;
    this.api = new GatewayApi(stack, 'Gateway', props);
    const apiName = stack.stackName;
    const canaries = canary && new CanaryDeployments(stack, 'Canary', { canary, apiName, stageName });
    this.background = this.worker();
    this.batches = this.batchesWorker();
    const originSecret = web && new OriginSecret(stack, 'OriginSecret', { number: web.originSecret });
    for (const served of servedFunctions) {
      const [operation] = served.operations;
      if (originSecret && operation && isOnWeb(operation))
        this.api.serveOnWeb(operation, this.webFunction(operation, web, originSecret));
      else {
        const gatewayFunction = this.function(served);
        this.api.serve(served, gatewayFunction);
        canaries?.add(served, gatewayFunction);
      }
    }
    acknowledgeWebCode(stack);
    measures.ofApi(apiName, stageName);
  }

  private worker(): Background {
    const { bundles, logs, reservedConcurrency, measures, ...props } = this.props;
    const background = new Background(this.stack, 'Background', {
      ...props,
      bundle: join(bundles, 'background'),
      logs: logs.requests,
      reservedConcurrency: reservedConcurrency.get('background'),
    });
    measures.ofBackground(background.function.handler);
    return background;
  }

  private batchesWorker(): BatchesWorker | undefined {
    const { bucket, bundles, logs, ...props } = this.props;
    if (bucket === undefined) return undefined;
    const bundle = join(bundles, 'batches-run');
    return new BatchesWorker(this.stack, 'BatchesWorker', { ...props, bucket, bundle, logs: logs.requests });
  }

  private function({ name, operations, method, paths, timeoutSeconds }: ServedFunction): GatewayFunction {
    const { bundles, memory, logLevel, logs, kmsKeyArn, measures, ...props } = this.props;
    const gatewayFunction = new GatewayFunction(this.stack, pascalCase(name), {
      description: `${method} ${paths[0]}`,
      bundle: join(bundles, name),
      timeout: Duration.seconds(timeoutSeconds),
      memory: Math.max(memory, ...operations.map(({ minMemory = 0 }) => minMemory)),
      logLevel,
      logs: operations.some(keepsRecords) ? logs.requests : logs.plain,
      reservedConcurrency: props.reservedConcurrency.get(name),
      kmsKeyArn,
      provisioned: props.provisioned.get(name),
    });
    for (const operation of operations) this.allow(gatewayFunction.permissions, operation);
    if (operations.some(keepsRecords)) measures.ofGenerating(gatewayFunction.handler);
    return gatewayFunction;
  }

  private webFunction(
    operation: Operation,
    settings: NonNullable<Settings['web']>,
    originSecret: OriginSecret,
  ): GatewayWebFunction {
    const { bundles, logLevel, logs, kmsKeyArn } = this.props;
    return new GatewayWebFunction(this.stack, `Web${pascalCase(operation.name)}`, {
      name: webFunctionName(this.stack.stackName, operation.name),
      description: `${operation.method} ${operation.path}`,
      bundle: join(bundles, webBundle),
      timeout: Duration.seconds(operation.timeoutSeconds),
      settings,
      originSecret,
      logLevel,
      logs: logs.web,
      kmsKeyArn,
      operation: operation.name,
      allow: (permissions) => {
        this.allow(permissions, operation);
        allowManyRequests(permissions, operation, this.props);
      },
    });
  }

  private allow(permissions: Permissions, operation: Operation): void {
    allowOperation(permissions, operation, this.props);
    allowStarts(permissions, operation, this.background.function.live);
    if (this.batches) allowBatches(permissions, operation, this.batches.function.live);
  }
}
