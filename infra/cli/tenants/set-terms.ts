/** What is agreed with a tenant: limits of its users, its expected traffic, its alerts, and what a silent database means. */
import { randomBytes } from 'node:crypto';
import { type DatabasePolicy, databasePolicies } from '../../../lib/core/tenancy.ts';
import type { TermsChange } from '../../../lib/stores/access/tenant-terms.ts';
import type { StoredTenant } from '../../../lib/stores/access/tenants.ts';
import { type Command, type CommandContext, UsageError, withInstallation } from '../command.ts';
import { found, soon } from './holder.ts';
import { describeLimits, requireLimits, userLimitOptions } from './limit-options.ts';

export const tenantsSetUserLimits: Command = {
  name: 'tenants set-user-limits',
  summary: 'Change the limits of each end user of a tenant',
  description:
    'They apply to each x-gateway-user-id on its own. Give none to remove a limit. Other limits stay unchanged.',
  arguments: ['tenant'],
  options: userLimitOptions,
  examples: ['tenants set-user-limits acme --daily-budget 1 --requests 20'],
  async run({ options, terminal, ...context }) {
    const { credit: _, ...userLimits } = requireLimits(options, userLimitOptions);
    const tenant = await change(context, { userLimits });
    terminal.write(`Each user of tenant ${tenant.name} has ${describeLimits(tenant.userLimits)}. ${soon}`);
  },
};

export const tenantsSetDatabasePolicy: Command = {
  name: 'tenants set-database-policy',
  summary: 'Choose what happens to requests whose limits cannot be checked',
  description:
    'While the database is silent: admit lets them through, refuse answers 503. Default: refuse for a tenant with credit, else admit.',
  arguments: ['tenant', 'policy'],
  options: {},
  examples: ['tenants set-database-policy acme refuse', 'tenants set-database-policy acme default'],
  async run({ terminal, ...context }) {
    const onDatabaseFailure = readPolicy(context.arguments[1] ?? '');
    const { name } = await change(context, { onDatabaseFailure });
    terminal.write(`Tenant ${name} has the database policy ${onDatabaseFailure ?? 'default'}. ${soon}`);
  },
};

function readPolicy(text: string): DatabasePolicy | null {
  if (text === 'default') return null;
  const policy = databasePolicies.find((known) => known === text);
  if (policy) return policy;
  throw new UsageError(`<policy> must be ${databasePolicies.join(', ')} or default, not ${text}.`);
}

export const maxThroughput = 100_000;

export const tenantsSetThroughput: Command = {
  name: 'tenants set-throughput',
  summary: 'Raise the requests per second that a tenant is prepared for',
  description:
    'The records and limits of the tenant are spread over more items of the database. It cannot be lowered again.',
  arguments: ['tenant', 'requests-per-second'],
  options: {},
  examples: ['tenants set-throughput acme 5000'],
  async run({ arguments: [name = '', text = ''], terminal, ...context }) {
    const throughput = Number(text);
    if (!/^\d+$/.test(text) || throughput < 1 || throughput > maxThroughput) {
      throw new UsageError(
        `<requests-per-second> must be a whole number from 1 to ${maxThroughput}, not ${text}.`,
      );
    }
    const { isRaised, tenant } = await withInstallation(context, async ({ tenants }) => ({
      isRaised: await tenants.raiseThroughput(name, throughput),
      tenant: await tenants.find(name),
    }));
    const { throughput: current } = found(tenant, 'tenant', name, 'tenants');
    if (!isRaised) {
      throw new Error(
        `Tenant ${name} is prepared for ${current} requests per second, which cannot be lowered.`,
      );
    }
    terminal.write(`Tenant ${name} is prepared for ${throughput} requests per second. ${soon}`);
  },
};

export const tenantsSetAlerts: Command = {
  name: 'tenants set-alerts',
  summary: 'Choose when a tenant’s budgets raise alerts, and where they are posted to',
  description:
    'An alert is raised once for each budget and period, by default at 50, 80 and 100 percent. A webhook is posted each alert, signed with a secret that is shown only now.',
  arguments: ['tenant'],
  options: {
    at: { value: '<list>', description: 'Percentages, comma-separated, or default' },
    webhook: { value: '<url>', description: 'The URL that alerts are posted to, or none' },
  },
  examples: ['tenants set-alerts acme --at 50,80,100 --webhook https://hooks.example.com/budget'],
  async run({ options, terminal, ...context }) {
    const { at, webhook: url } = options;
    if (at === undefined && url === undefined) throw new UsageError('Give at least one of --at, --webhook');
    const webhook = url === undefined ? undefined : readWebhook(url);
    const { name } = await change(context, {
      ...(at !== undefined && { alerts: readThresholds(at) }),
      ...(webhook !== undefined && { webhook }),
    });
    terminal.write(`Changed the alerts of tenant ${name}.`);
    if (!webhook) return;
    terminal.write('Copy the secret of the webhook now: it is not shown again.');
    terminal.write(webhook.secret);
  },
};

export const maxThresholds = 10;

function readThresholds(text: string): readonly number[] | null {
  if (text === 'default') return null;
  const percents = [...new Set(text.split(',').map((entry) => Number(entry.trim() || 'nothing')))];
  const isValid = percents.every((percent) => Number.isInteger(percent) && percent >= 1 && percent <= 100);
  if (isValid && percents.length <= maxThresholds) return percents.toSorted((one, other) => one - other);
  throw new UsageError(`--at must be up to ${maxThresholds} whole percentages from 1 to 100, not ${text}.`);
}

function readWebhook(text: string) {
  if (text === 'none') return null;
  const url = URL.parse(text);
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username || text.length > 2_000) {
    throw new UsageError(`--webhook must be a URL such as https://hooks.example.com/budget, not ${text}.`);
  }
  return { url: url.href, secret: `whsec_${randomBytes(32).toString('base64')}` };
}

async function change(
  context: Pick<CommandContext, 'arguments' | 'open'>,
  terms: TermsChange,
): Promise<StoredTenant> {
  const [name = ''] = context.arguments;
  const tenant = await withInstallation(context, ({ tenants }) => tenants.change(name, terms));
  return found(tenant, 'tenant', name, 'tenants');
}
