/** `tenants create`: creates a tenant with its limits. */
import { type Command, withInstallation } from '../command.ts';
import { asUsageError } from '../keys/keys-create.ts';
import { jsonOption, readFormat } from '../output/listing.ts';
import { describeLimits, limitOptions } from './limit-options.ts';
import { permissionOptions, readTenancy, tenancyRow } from './tenancy-options.ts';

export const tenantsCreate: Command = {
  name: 'tenants create',
  summary: 'Create a tenant',
  description: 'The limits apply to all keys of the tenant together.',
  arguments: ['tenant'],
  options: { ...limitOptions, ...permissionOptions, ...jsonOption },
  examples: ['tenants create acme', "tenants create acme --budget 50 --requests 100 --models 'openai/*'"],
  async run({ arguments: [name = ''], options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const tenancy = readTenancy(options);
    const isNew = await withInstallation(context, ({ tenants }) =>
      tenants.create(name, tenancy).catch(asUsageError),
    );
    if (!isNew) {
      throw new Error(`Tenant already exists: ${name}. Change its limits with: tenants set-limits ${name}`);
    }
    if (format === 'json') {
      return terminal.write(JSON.stringify({ tenant: name, ...tenancyRow(tenancy) }, null, 2));
    }
    terminal.write(`Created tenant ${name} with ${describeLimits(tenancy.limits)}.`);
  },
};
