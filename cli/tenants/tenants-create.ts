/** `tenants create`: creates a tenant with its limits. */
import { limitsInputOf } from '../../lib/admin/limit-fields.ts';
import { createTenant } from '../../lib/admin/tenants/write-tenant.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { Command } from '../command.ts';
import { jsonOption, readFormat } from '../output/listing.ts';
import { asUsageError, callSubject } from '../subjects.ts';
import { describeLimits, limitOptions } from './limit-options.ts';
import { permissionOptions, readTenancy, tenancyRow, toLists } from './tenancy-options.ts';

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
    const { limits = {}, ...allowed } = tenancy;
    const input = { tenant: name, limits: limitsInputOf(limits), ...toLists(allowed) };
    await callSubject(context, createTenant, input).catch(explain(name));
    if (format === 'json') {
      return terminal.write(JSON.stringify({ tenant: name, ...tenancyRow(tenancy) }, null, 2));
    }
    terminal.write(`Created tenant ${name} with ${describeLimits(tenancy.limits)}.`);
  },
};

const explain = (name: string) => (error: unknown) => {
  if (!(error instanceof GatewayError) || error.kind !== 'conflict') return asUsageError(error);
  throw new Error(`Tenant already exists: ${name}. Change its limits with: tenants set-limits ${name}`);
};
