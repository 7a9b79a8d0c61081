/** `tenants suspend` and `tenants activate`: turn all keys of a tenant off and on. */
import { changeTenant } from '../../lib/admin/tenants/write-tenant.ts';
import type { Command } from '../command.ts';
import { callSubject } from '../subjects.ts';
import { soon } from './subject.ts';

const change = (
  verb: 'suspend' | 'activate',
  state: string,
  summary: string,
  suspended: boolean,
): Command => ({
  name: `tenants ${verb}`,
  summary,
  arguments: ['tenant'],
  options: {},
  examples: [`tenants ${verb} acme`],
  async run({ arguments: [tenant = ''], terminal, ...context }) {
    await callSubject(context, changeTenant, { tenant, suspended });
    terminal.write(`Tenant ${tenant} is ${state}. ${soon}`);
  },
});

export const tenantsSuspend = change(
  'suspend',
  'suspended',
  'Refuse all keys of a tenant until it is activated again',
  true,
);

export const tenantsActivate = change(
  'activate',
  'active',
  'Accept the keys of a suspended tenant again',
  false,
);
