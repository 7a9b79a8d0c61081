/** What both Vertex providers share: one Google Cloud project, its location, and a token of a service account. */
import type { ProviderAccess } from '../../core/ports/provider-access.ts';
import { type Authorize, bearer, hasKey, missingCredentials, type Provider } from '../provider.ts';

/** `api-key` is a ready bearer token; `credentials` is the JSON text of a service account's key. Batches read and write a bucket. */
const settings = ['project', 'location', 'credentials', 'api-key', 'batch-bucket'];

const authorize: Authorize = async (request, access) => {
  const token = access.apiKey ?? (await findToken(access));
  return { ...request, headers: { ...request.headers, authorization: bearer(token) } };
};

async function findToken({ settings: { credentials }, findToken: find }: ProviderAccess): Promise<string> {
  if (credentials === undefined || !find) throw missingCredentials();
  return await find(credentials);
}

/** A deployment that is `global` in the catalog is in the operator's location; one with a region is in that region. */
function locationOf(region: string, access: ProviderAccess): string {
  return region === 'global' ? (access.settings.location ?? 'global') : region;
}

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  if (location === 'eu' || location === 'us') return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}

/** The members of a Vertex provider that are the same for every protocol. */
export function vertexAccount(version: 'v1' | 'v1beta1') {
  return {
    account: 'google-vertex',
    settings,
    isConfigured: (access) =>
      access.settings.project !== undefined && (hasKey(access) || access.settings.credentials !== undefined),
    baseUrl: (region, access) => `https://${hostOf(locationOf(region, access))}/${version}`,
    scope: (region, access) => {
      const { project } = access.settings;
      if (project === undefined) throw missingCredentials();
      const location = encodeURIComponent(locationOf(region, access));
      return `/projects/${encodeURIComponent(project)}/locations/${location}`;
    },
    authorize,
  } satisfies Partial<Provider>;
}

/** The path of a publisher's model. An `@` before a version stands as it is. */
export function modelPath(publisher: string, upstreamId: string): string {
  return `/publishers/${publisher}/models/${encodeURIComponent(upstreamId).replaceAll('%40', '@')}`;
}
