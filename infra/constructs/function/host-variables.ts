/** The variables of all code of a stack that say which hosts of AWS it calls. They are of the stack, as its region is. */
import type { Construct } from 'constructs';
import type { GeneralSettings } from '../../settings/groups/general.ts';

const key = 'model-gateway:host-variables';

/** To be called before the stack has children. */
export function chooseEndpoints(
  stack: Construct,
  { fips, dualStack }: Pick<GeneralSettings, 'fips' | 'dualStack'>,
): void {
  const variables = {
    ...(fips && { AWS_USE_FIPS_ENDPOINT: 'true' }),
    ...(dualStack && { AWS_USE_DUALSTACK_ENDPOINT: 'true' }),
  };
  stack.node.setContext(key, variables);
}

export const hostVariables = (scope: Construct): Readonly<Record<string, string>> =>
  scope.node.tryGetContext(key) ?? {};
