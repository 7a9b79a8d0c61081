/**
 * Writes the models of `infra/catalog` to the catalog table during a deployment, if they or the code that writes them have
 * changed. Both are in the function's bundle, and a new version of the function starts the trigger.
 */
import { CfnResource, Duration, Stack } from 'aws-cdk-lib';
import { Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import { permissionMs } from '../seed/bounds.ts';
import { type FunctionParts, GatewayFunction } from './function/gateway-function.ts';
import { allowMakingSecret } from './permissions/secret-permissions.ts';
import type { UsedTable } from './table/used-table.ts';

interface CatalogSeedProps extends FunctionParts {
  readonly catalog: UsedTable;
  /** The path of the providers' keys in the parameter store. */
  readonly providerParametersPrefix: string;
}

/** What the function waits for its permissions, and as much again for its work. The library's trigger waits as long for the answer. */
const timeout = Duration.millis(2 * permissionMs);

export class CatalogSeed extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { bundle, catalog, logLevel, logs, kmsKeyArn, providerParametersPrefix }: CatalogSeedProps,
  ) {
    super(scope, id);
    const seed = new GatewayFunction(this, 'Function', {
      description: 'Writes the models that ship with the gateway into the catalog',
      bundle,
      timeout,
      memory: 512,
      logLevel,
      logs,
      kmsKeyArn,
    });
    seed.permissions.acts('PutItem', catalog);
    allowMakingSecret(seed.permissions, providerParametersPrefix);
    new Trigger(this, 'Trigger', { handler: seed.handler, timeout });
    this.keepTriggerLogsWith(seed);
  }

  // The library's function of the trigger would create a log group that never expires.
  private keepTriggerLogsWith({ logs }: GatewayFunction): void {
    const provider = Stack.of(this).node.findChild(
      'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider',
    );
    const handler = provider.node.findChild('Handler');
    if (!CfnResource.isCfnResource(handler)) throw new Error('The trigger has no function.');
    handler.addPropertyOverride('LoggingConfig', { LogGroup: logs.logGroupName });
  }
}
