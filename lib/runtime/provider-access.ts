/**
 * The settings with which the gateway calls each provider: from the environment, or in AWS from the parameter store. Each
 * provider defines which settings it has.
 */

import { withTimeout } from '../async/with-timeout.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type { FindEndpoint, Sign } from '../core/ports/aws.ts';
import type { FindProviderAccess, FindToken, ProviderAccess } from '../core/ports/provider-access.ts';
import type { AccountSettings } from '../core/ports/provider-settings.ts';
import { readVariables, toAccess } from '../core/provider-settings.ts';
import type { StoredSettings } from './stored-settings.ts';

interface ProviderAccessOptions {
  readonly variables: Variables;
  readonly settingsOf: (provider: string) => AccountSettings | Promise<AccountSettings>;
  /** Absent where there are no AWS credentials. */
  readonly sign?: Sign;
  readonly endpointOf?: FindEndpoint;
  readonly findToken?: FindToken;
  /** Those in the parameter store; absent on a laptop. */
  readonly findStored?: () => Promise<StoredSettings>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** How a provider was last called, and what that was made of. */
interface KnownAccess {
  readonly settings: readonly string[];
  /** Those in variables. */
  readonly set: Readonly<Record<string, string>>;
  /** The others. */
  readonly missing: readonly string[];
  readonly stored: StoredSettings;
  /** As each request gets it. */
  readonly access: Promise<ProviderAccess>;
}

/** How long the parameter store is waited for where a signature is enough: longer than until older values are used (`maxReadMs`). */
export const maxStoreWaitMs = 1_500;

/** After a read that failed, or took longer, it is not asked for so long. */
const storePauseMs = 5_000;

export function createFindProviderAccess(options: ProviderAccessOptions): FindProviderAccess {
  const { variables, settingsOf, sign, endpointOf, findToken, findStored, now } = options;

  let failedAt = Number.NEGATIVE_INFINITY;
  const fails = () => {
    failedAt = now();
    return none;
  };

  async function read(): Promise<StoredSettings> {
    if (!findStored) return none;
    const stored = await findStored();
    failedAt = Number.NEGATIVE_INFINITY;
    return stored;
  }

  async function needed(): Promise<StoredSettings> {
    try {
      return await read();
    } catch (cause) {
      const message = 'The gateway could not read its credentials for the provider.';
      throw new GatewayError('upstream_credentials', message, { cause });
    }
  }

  /** Who can sign needs no key. The failed read is in the log. */
  async function optional(): Promise<StoredSettings> {
    if (Math.abs(now() - failedAt) < storePauseMs) return none;
    return await withTimeout(read(), maxStoreWaitMs, fails).catch(fails);
  }

  const known = new Map<string, KnownAccess>();

  return (provider) => {
    const last = known.get(provider);
    // Where its settings are all variables, they never change.
    return last?.missing.length === 0 ? last.access : find(provider, last);
  };

  async function find(provider: string, last: KnownAccess | undefined): Promise<ProviderAccess> {
    const { account, settings, maySign = false } = await settingsOf(provider);
    const same = last?.settings === settings ? last : undefined;
    const set = same?.set ?? readVariables(variables, account, settings);
    const missing = same?.missing ?? settings.filter((name) => set[name] === undefined);
    const mayLack = maySign && sign !== undefined;
    const isStored = findStored && missing.length > 0;
    const stored = isStored ? await (mayLack ? optional() : needed()) : none;
    if (same?.stored === stored) return same.access;
    const found = missing.flatMap((name) => {
      const value = stored.get(`${account}/${name}`);
      return value === undefined ? [] : [[name, value]];
    });
    const all = { ...set, ...Object.fromEntries(found) };
    const access = Promise.resolve({
      ...toAccess(all),
      ...(sign && { sign }),
      ...(endpointOf && { endpointOf }),
      ...(findToken && { findToken }),
    });
    // A name without settings may be no provider's, and there may be any number of those in the catalog.
    if (settings.length > 0) known.set(provider, { settings, set, missing, stored, access });
    return access;
  }
}

const none: StoredSettings = new Map();
