/** `tenants create`: makes a tenant with its limits. */
import { type Command, withInstallation } from '../command.ts';
import { asUsageError } from '../keys/keys-create.ts';
import { describeLimits, limitOptions, permissionOptions, readTenancy } from './tenancy-options.ts';

export const tenantsCreate: Command = {
  name: 'tenants create',
  summary: 'Make a tenant. Its limits hold for all its keys together.',
  arguments: ['tenant'],
  options: { ...limitOptions, ...permissionOptions },
  async run({ arguments: [name = ''], options, terminal, ...context }) {
    const tenancy = readTenancy(options);
    const isNew = await withInstallation(context, ({ tenants }) =>
      tenants.create(name, tenancy).catch(asUsageError),
    );
    if (!isNew)
      throw new Error(`There is a tenant ${name} already. Its limits are changed by: tenants set-limits`);
    terminal.write(`Tenant ${name} has ${describeLimits(tenancy.limits)}.`);
  },
};
