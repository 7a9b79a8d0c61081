/**
 * The function that creates responses in the background. Lambda keeps the events that name them, and invokes it with each: nothing is
 * polled, and nothing costs while there are none. It does what the function of `POST /v1/responses` does, without a client, so it may do
 * the same. Why it is no queue: `docs/decisions/0042-background-responses.md`. It also posts to the webhooks of tenants; a schedule that
 * runs once, and is deleted then, invokes it for a later attempt.
 */
import { Duration } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { maxWaitMs } from '../../lib/core/accounting/interrupted.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { Settings } from '../settings/settings.ts';
import { GatewayFunction } from './function/gateway-function.ts';
import { allowOwnStarts } from './function/own-starts.ts';
import { allowEvents, allowOperation, type OperationResources } from './permissions/operation-permissions.ts';
import type { LogKeeping } from './watching/log-lines.ts';

interface BackgroundProps extends OperationResources, Pick<Settings, 'memory' | 'logLevel' | 'kmsKeyArn'> {
  readonly bundle: string;
  /** What requests that call models write. */
  readonly logs: LogGroup | LogKeeping;
  readonly reservedConcurrency: number | undefined;
}

const same = operationNamed('responses');

/** A response must not begin later. */
const maxEventAge = Duration.millis(maxWaitMs);

/** The second attempt begins what the first could not begin. It does not repeat what has begun, which may have cost something. */
const retryAttempts = 1;

export class Background extends Construct {
  readonly function: GatewayFunction;

  constructor(scope: Construct, id: string, props: BackgroundProps) {
    super(scope, id);
    const { bundle, memory, logLevel, logs, kmsKeyArn, reservedConcurrency } = props;
    this.function = new GatewayFunction(this, 'Function', {
      description: 'Creates responses in the background',
      bundle,
      timeout: Duration.seconds(same.timeoutSeconds),
      memory,
      logLevel,
      logs,
      kmsKeyArn,
      reservedConcurrency,
    });
    // It answers no page.
    allowOperation(this.function.permissions, same, { ...props, corsOrigins: [] });
    this.function.alias.configureAsyncInvoke({ maxEventAge, retryAttempts });
    allowEvents(this.function.permissions, props);
    allowOwnStarts(this, this.function);
  }
}
