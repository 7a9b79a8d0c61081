/**
 * What the gateway holds to call each provider: on a laptop from the environment, in AWS from the parameter store.
 */
import { GatewayError } from '../core/errors.ts';
import { type AwsCall, AwsError, type FindProviderAccess, type Sign } from '../core/ports.ts';

export interface ProviderAccessOptions {
  readonly variables: NodeJS.ProcessEnv;
  /** Absent where there are no AWS credentials. */
  readonly sign?: Sign;
  /** The parameter store and the path below which the keys lie; absent on a laptop. */
  readonly parameters?: { readonly call: AwsCall; readonly prefix: string };
  readonly now: () => number;
}

/** How long a key from the parameter store is used before it is read again, so that a new one takes effect. */
const freshMs = 300_000;

export function createFindProviderAccess(options: ProviderAccessOptions): FindProviderAccess {
  const { variables, sign, parameters, now } = options;
  const stored = new Map<string, { readonly apiKey: string | undefined; readonly readAt: number }>();

  async function storedKey(provider: string): Promise<string | undefined> {
    if (!parameters) return undefined;
    const known = stored.get(provider);
    if (known && now() - known.readAt < freshMs) return known.apiKey;
    const apiKey = await readParameter(parameters.call, `${parameters.prefix}/${provider}/api-key`).catch(
      (cause) => keepOr(known?.apiKey, cause),
    );
    stored.set(provider, { apiKey, readAt: now() });
    return apiKey;
  }

  return async (provider) => {
    const name = provider.toUpperCase().replaceAll('-', '_');
    const apiKey = variables[`${name}_API_KEY`] || (await storedKey(provider));
    const baseUrl = variables[`${name}_UPSTREAM_URL`]?.replace(/\/+$/, '');
    return { ...(apiKey && { apiKey }), ...(baseUrl && { baseUrl }), ...(sign && { sign }), settings: {} };
  };
}

async function readParameter(call: AwsCall, name: string): Promise<string | undefined> {
  try {
    const { Parameter } = await call('AmazonSSM.GetParameter', { Name: name, WithDecryption: true });
    const value = (Parameter as { readonly Value?: unknown } | undefined)?.Value;
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ParameterNotFound') return undefined;
    throw error;
  }
}

/** A key that worked so far goes on working while the parameter store does not answer. */
function keepOr(apiKey: string | undefined, cause: unknown): string {
  if (apiKey !== undefined) return apiKey;
  const message = 'The gateway could not read its credentials for this provider.';
  throw new GatewayError('upstream_credentials', message, { cause });
}
