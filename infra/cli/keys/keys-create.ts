/** `keys create`: makes an API key and shows it, once. */
import { GatewayError } from '../../../lib/core/errors.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
import { limitOptions, permissionOptions, readTenancy } from '../tenants/tenancy-options.ts';

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Make an API key for a tenant. The key is the last line of the output and is shown only once.',
  arguments: [],
  options: {
    tenant: { value: '<name>', description: 'The tenant it belongs to; made when it is new', required: true },
    name: { value: '<text>', description: 'What the key is for' },
    expires: { value: '<date>', description: 'When it stops working, for example 2027-12-31 (UTC)' },
    ...limitOptions,
    ...permissionOptions,
  },
  async run({ options, terminal, ...context }) {
    const { tenant = '', name, expires } = options;
    const expiresAt = expires === undefined ? undefined : readExpiry(expires);
    const key = {
      tenant,
      ...readTenancy(options),
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const made = await withInstallation(context, ({ keys }) => keys.create(key).catch(asUsageError));
    // A name that was mistyped would make a tenant that nobody limits.
    if (made.isTenantNew) terminal.write(`The tenant ${tenant} is new and has no limits.`);
    terminal.write(`Key ${made.id} for tenant ${made.tenant}. Keep it safe: it is shown only this once.`);
    terminal.write(made.secret);
  },
};

function readExpiry(text: string): number {
  const seconds = Math.floor(Date.parse(text) / 1000);
  if (Number.isNaN(seconds)) throw new UsageError(`--expires is not a date: ${text}`);
  if (seconds * 1000 <= Date.now()) throw new UsageError(`--expires is in the past: ${text}`);
  return seconds;
}

/** What the store would not take was typed wrongly. */
export function asUsageError(error: unknown): never {
  if (error instanceof GatewayError && error.kind === 'invalid_request') throw new UsageError(error.message);
  throw error;
}
