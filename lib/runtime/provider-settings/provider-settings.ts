/** Where this process finds and stores the settings of providers: in the parameter store, or in its environment. */
import type { ProviderSettings } from '../../core/ports/provider-settings.ts';
import type { Foundation } from '../foundation.ts';
import { createLocalSettings } from './local-settings.ts';
import { createStackSettings } from './parameter-store.ts';

export function createProviderSettings({
  environment,
  variables,
  ssm,
}: Pick<Foundation, 'environment' | 'variables' | 'ssm'>): ProviderSettings {
  const {
    PROVIDER_PARAMETERS_PREFIX: prefix,
    PROVIDER_PARAMETERS_KEY: kmsKey,
    GATEWAY_ENVIRONMENT_FILE: environmentFile,
  } = environment;
  if (prefix !== undefined) return createStackSettings({ call: ssm, prefix, kmsKey });
  return createLocalSettings({ variables, ...(environmentFile !== undefined && { environmentFile }) });
}
