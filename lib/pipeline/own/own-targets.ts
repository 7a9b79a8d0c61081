/** The targets of a tenant with credentials of its own: each place with each of them that is for the model and the key. */
import type { Target } from '../../core/catalog/model.ts';
import type { Credential } from '../../core/credential.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import { allowsModel } from '../../core/tenancy.ts';
import { hasOwnHost } from '../../providers/own-settings.ts';
import { settingsOf } from '../../providers/provider.ts';
import type { PipelineParts } from '../parts.ts';

/** Rejects where the credentials cannot be read: what the gateway pays for never takes their place unasked. */
export function ownTargets(
  { providers, connections }: Pick<PipelineParts, 'providers' | 'connections'>,
  key: ApiKey,
): (places: readonly Target[]) => Promise<readonly Target[]> {
  const { ownProviders = [] } = key.tenantPolicy ?? {};
  const credentialsAt = async (place: Target): Promise<readonly Credential[]> => {
    const name = place.deployment.provider;
    const provider = await providers.load(name).catch(() => undefined);
    const account = provider ? settingsOf(provider).account : name;
    if (!ownProviders.includes(account) || !connections.loadOwn) return [];
    const own = await connections.loadOwn();
    const found = await own.list(key.tenant, account);
    const used = found.filter((credential) => isFor(credential, key, place));
    // It is opened beside what comes before the call.
    if (used[0]) connections.findAccess(name, used[0]).catch(() => {});
    return used;
  };
  return async (places) => {
    const own = await Promise.all(
      places.map(async (place) =>
        (await credentialsAt(place)).map((credential) => withCredential(place, credential)),
      ),
    );
    return [...own.flat(), ...places];
  };
}

/** The catalog knows the regions of the operator's account, unless they are those of the host that is called. */
function withCredential({ model, deployment }: Target, credential: Credential): Target {
  if (deployment.region !== anyRegion && !hasOwnHost(credential.account))
    return { model, deployment, credential };
  const { regions: _, ...unknown } = deployment;
  return { model, deployment: unknown, credential };
}

const anyRegion = 'global';

function isFor({ models, keys }: Credential, { id, family }: ApiKey, { model }: Target): boolean {
  const isForKey = !keys || keys.includes(id) || (family !== undefined && keys.includes(family));
  return isForKey && allowsModel({ ...(models && { models }) }, model.id);
}
