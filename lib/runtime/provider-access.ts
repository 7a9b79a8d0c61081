/**
 * The settings with which the gateway calls each provider: from the environment, or in AWS from the parameter store. Each
 * provider defines which settings it has.
 */
import { GatewayError } from '../core/errors.ts';
import { type AwsCall, AwsError, type FindEndpoint, type Sign } from '../core/ports/aws.ts';
import type { FindProviderAccess, FindToken, ProviderAccess } from '../core/ports/provider-access.ts';
import { variableOf } from '../core/provider-variable.ts';
import { createCachedReader } from '../stores/cached-reader.ts';

/** The account whose settings a provider uses, and their names. */
export interface AccountSettings {
  readonly account: string;
  readonly settings: readonly string[];
}

export interface ProviderAccessOptions {
  readonly variables: Variables;
  readonly settingsOf: (provider: string) => AccountSettings | Promise<AccountSettings>;
  /** Absent where there are no AWS credentials. */
  readonly sign?: Sign;
  readonly endpointOf?: FindEndpoint;
  readonly findToken?: FindToken;
  /** Absent on a laptop. */
  readonly parameters?: Parameters;
  readonly now: () => number;
}

/** The parameter store, and the path below which the settings are. */
interface Parameters {
  readonly call: AwsCall;
  readonly prefix: string;
}

type Variables = Readonly<Record<string, string | undefined>>;
type Settings = Readonly<Record<string, string>>;

/** How long a setting from the parameter store is used before it is read again. */
const freshMs = 300_000;

/** More than all providers have together. */
export const maxParameters = 1_000;

export function createFindProviderAccess(options: ProviderAccessOptions): FindProviderAccess {
  const { variables, settingsOf, sign, endpointOf, findToken, parameters, now } = options;
  const find = createCachedReader({
    // A missing parameter is remembered too, and both are used while the parameter store does not answer.
    load: async (path: string) => ({ value: parameters && (await readParameter(parameters, path)) }),
    now,
    freshMs,
    graceMs: Number.POSITIVE_INFINITY,
    size: maxParameters,
  });

  async function stored(path: string): Promise<string | undefined> {
    try {
      return (await find(path))?.value;
    } catch (cause) {
      const message = 'The gateway could not read its credentials for the provider.';
      throw new GatewayError('upstream_credentials', message, { cause });
    }
  }

  /** Providers whose settings are all variables, which never change. */
  const fixed = new Map<string, ProviderAccess>();

  return async (provider) => {
    const access = fixed.get(provider);
    if (access) return access;
    const { account, settings } = await settingsOf(provider);
    const set = readVariables(variables, account, settings);
    const missing = settings.filter((name) => set[name] === undefined);
    const read = await Promise.all(missing.map(async (name) => [name, await stored(`${account}/${name}`)]));
    const found = { ...set, ...Object.fromEntries(read.filter(([, value]) => value !== undefined)) };
    const given = {
      ...toAccess(found),
      ...(sign && { sign }),
      ...(endpointOf && { endpointOf }),
      ...(findToken && { findToken }),
    };
    // A name without settings may be no provider's, and there may be any number of those in the catalog.
    if (settings.length > 0 && missing.length === 0) fixed.set(provider, given);
    return given;
  };
}

/** The settings in environment variables; a blank one counts as unset. Any provider may have a base URL. */
export function readVariables(variables: Variables, account: string, settings: readonly string[]): Settings {
  const found = [...settings, 'base-url', 'sandbox'].flatMap((name) => {
    const value = variables[variableOf(account, name)]?.trim();
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

export function toAccess(found: Settings): ProviderAccess {
  const { 'api-key': apiKey, 'base-url': baseUrl, sandbox, ...settings } = found;
  return {
    ...(sandbox === 'true' && { sandbox: true }),
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, '') }),
    settings,
  };
}

/** Undefined where there is no such parameter, or an empty one. */
async function readParameter({ call, prefix }: Parameters, path: string): Promise<string | undefined> {
  try {
    const input = { Name: `${prefix}/${path}`, WithDecryption: true };
    const { Parameter } = await call('AmazonSSM.GetParameter', input);
    const value = (Parameter as { readonly Value?: unknown } | undefined)?.Value;
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ParameterNotFound') return undefined;
    throw error;
  }
}
