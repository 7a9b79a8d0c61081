/**
 * Writes the models of `infra/catalog` into the catalog table while the stack is deployed, whenever they or the code
 * that writes them changed: both are in the function's bundle, so a new version of it is what sets the trigger off.
 */
import { CfnResource, Duration, Stack } from 'aws-cdk-lib';
import { Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import { GatewayFunction } from './gateway-function.ts';
import type { GatewayTable } from './gateway-table.ts';

interface CatalogSeedProps {
  readonly bundle: string;
  readonly catalog: GatewayTable;
  readonly logLevel: string;
}

const timeout = Duration.minutes(1);

export class CatalogSeed extends Construct {
  constructor(scope: Construct, id: string, { bundle, catalog, logLevel }: CatalogSeedProps) {
    super(scope, id);
    const seed = new GatewayFunction(this, 'Function', {
      description: 'Writes the models that ship with the gateway into the catalog',
      bundle,
      timeout,
      memory: 512,
      logLevel,
    });
    seed.writes(catalog);
    new Trigger(this, 'Trigger', { handler: seed.handler, timeout });
    this.keepTriggerLogsWith(seed);
  }

  // The trigger's own function comes from the library, and would make a log group that never expires.
  private keepTriggerLogsWith({ logs }: GatewayFunction): void {
    const provider = Stack.of(this).node.findChild(
      'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider',
    );
    const handler = provider.node.findChild('Handler');
    if (!CfnResource.isCfnResource(handler)) throw new Error('The trigger has no function of its own.');
    handler.addPropertyOverride('LoggingConfig', { LogGroup: logs.logGroupName });
  }
}
