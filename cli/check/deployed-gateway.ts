/** A deployed gateway, as CloudFormation knows it. What is read, is read once. */

import type { AwsClients } from '../../infra/aws/clients.ts';
import { describeStack, listResources, type StackFacts } from '../../infra/aws/stacks.ts';
import { lazy } from '../../lib/async/lazy.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { Installation } from '../command.ts';
import { type DeployedGateway, NotChecked } from './check.ts';
import { isMissing } from './errors.ts';

interface OpenedGateway extends DeployedGateway {
  close(): Promise<void>;
}

export function createDeployedGateway(
  aws: AwsClients,
  name: string,
  open: () => Promise<Installation>,
): OpenedGateway {
  const installation = lazy(() => open().catch(notOpened));
  let isOpen = false;
  const known = new Map<string, Promise<StackFacts | undefined>>();
  return {
    name,
    facts: (stack = name) => {
      const found = known.get(stack) ?? describe(aws, stack);
      known.set(stack, found);
      return found;
    },
    resources: lazy(() => listResources(aws, name)),
    installation: async () => {
      isOpen = true;
      return await installation();
    },
    close: async () => {
      // One that could not be opened has nothing to close; the check has reported why.
      const opened = isOpen ? await installation().catch(() => undefined) : undefined;
      await opened?.close();
    },
  };
}

/** An error of AWS has its own line; any other is about what the stack lacks. */
function notOpened(error: unknown): never {
  if (error instanceof AwsError || error instanceof GatewayError || !(error instanceof Error)) throw error;
  throw new NotChecked(`not checked: ${error.message}`, 'See "Stack" and "Outputs".');
}

async function describe(aws: AwsClients, stack: string): Promise<StackFacts | undefined> {
  return await describeStack(aws, stack).catch((error: unknown) => {
    // The error for a stack that does not exist.
    if (isMissing(error, 'ValidationError')) return undefined;
    throw error;
  });
}

/** An output that commands need. */
export async function outputOf(gateway: DeployedGateway, output: string): Promise<string> {
  const value = (await gateway.facts())?.outputs.get(output);
  if (value !== undefined) return value;
  throw new NotChecked(`not checked: the stack has no output ${output}.`, 'See "Stack" and "Outputs".');
}
