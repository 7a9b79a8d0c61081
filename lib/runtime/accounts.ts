/** The gateway's own accounts with providers: of variables or the parameter store, or of AWS. */
import { lazy } from '../async/lazy.ts';
import { ownFailureFields } from '../core/errors/failure-fields.ts';
import type { FindProviderAccess } from '../core/ports/provider-access.ts';
import { maySign, type Providers, settingsOf } from '../providers/provider.ts';
import type { Foundation } from './foundation.ts';
import { createFindProviderAccess } from './provider-access.ts';
import { createStoredSettings } from './stored-settings.ts';

export function accountsOf(foundation: Foundation, providers: Providers): FindProviderAccess {
  const { variables, environment, log, sign, endpointOf, send, ssm, now } = foundation;
  const prefix = environment.PROVIDER_PARAMETERS_PREFIX;
  // Google's alone needs one.
  const loadToken = lazy(async () => {
    const { createFindToken } = await import('../providers/google-vertex/token.ts');
    return createFindToken({ send, now });
  });
  return createFindProviderAccess({
    variables,
    // An unknown provider in a catalog row has no settings.
    async settingsOf(name) {
      const provider = await providers.load(name);
      return provider
        ? { ...settingsOf(provider), maySign: maySign(provider) }
        : { account: name, settings: [] };
    },
    sign,
    endpointOf,
    findToken: async (...given) => await (await loadToken())(...given),
    now,
    ...(prefix !== undefined && {
      findStored: createStoredSettings({
        call: ssm,
        prefix,
        now,
        warn: (cause) => log.warn('settings of providers not read', ownFailureFields(cause)),
      }),
    }),
  });
}
