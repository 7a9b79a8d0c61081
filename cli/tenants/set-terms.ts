/** What is agreed with a tenant: limits of its users, its expected traffic, its alerts, and what an unavailable database means. */
import { limitsInputOf, limitsOf } from '../../lib/admin/limit-fields.ts';
import { retrieveTenant } from '../../lib/admin/tenants/read-tenant.ts';
import {
  maxThresholds,
  maxThroughput,
  maxWebhookUrl,
  type TenantsChangeAnswer,
  type TenantsChangeInput,
} from '../../lib/admin/tenants/schema.ts';
import { changeTenant } from '../../lib/admin/tenants/write-tenant.ts';
import { type DatabasePolicy, databasePolicies } from '../../lib/core/tenancy.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { callSubject, withSubjects } from '../subjects.ts';
import { describeLimits, requireLimits, userLimitOptions } from './limit-options.ts';
import { soon } from './subject.ts';

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
    const tenant = await change(context, { user_limits: limitsInputOf(userLimits) });
    terminal.write(
      `Each user of tenant ${tenant.id} has ${describeLimits(limitsOf(tenant.user_limits))}. ${soon}`,
    );
  },
};

export const tenantsSetDatabasePolicy: Command = {
  name: 'tenants set-database-policy',
  summary: 'Choose what happens to requests whose limits cannot be checked',
  description:
    'While the database is unavailable: admit lets them through, refuse answers 503. Default: refuse for a tenant with credit, else admit.',
  arguments: ['tenant', 'policy'],
  options: {},
  examples: ['tenants set-database-policy acme refuse', 'tenants set-database-policy acme default'],
  async run({ terminal, ...context }) {
    const onDatabaseFailure = readPolicy(context.arguments[1] ?? '');
    const { id: name } = await change(context, { on_database_failure: onDatabaseFailure });
    terminal.write(`Tenant ${name} has the database policy ${onDatabaseFailure ?? 'default'}. ${soon}`);
  },
};

function readPolicy(text: string): DatabasePolicy | null {
  if (text === 'default') return null;
  const policy = databasePolicies.find((known) => known === text);
  if (policy) return policy;
  throw new UsageError(`<policy> must be ${databasePolicies.join(', ')} or default, not ${text}.`);
}

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
    await withSubjects(context, async (call) => {
      const { throughput: current } = await call(retrieveTenant, { tenant: name });
      if (current !== null && current > throughput) {
        throw new Error(
          `Tenant ${name} is prepared for ${current} requests per second, which cannot be lowered.`,
        );
      }
      await call(changeTenant, { tenant: name, throughput });
    });
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
    const { id, webhook_secret: secret } = await change(context, {
      alerts: {
        ...(at !== undefined && { at: readThresholds(at) }),
        ...(webhook !== undefined && { webhook_url: webhook }),
      },
    });
    terminal.write(`Changed the alerts of tenant ${id}.`);
    if (secret === undefined) return;
    terminal.write('Copy the secret of the webhook now: it is not shown again.');
    terminal.write(secret);
  },
};

function readThresholds(text: string): number[] | null {
  if (text === 'default') return null;
  const percents = [...new Set(text.split(',').map((entry) => Number(entry.trim() || 'nothing')))];
  const isValid = percents.every((percent) => Number.isInteger(percent) && percent >= 1 && percent <= 100);
  if (isValid && percents.length <= maxThresholds) return percents.toSorted((one, other) => one - other);
  throw new UsageError(`--at must be up to ${maxThresholds} whole percentages from 1 to 100, not ${text}.`);
}

function readWebhook(text: string): string | null {
  if (text === 'none') return null;
  const url = URL.parse(text);
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username || text.length > maxWebhookUrl) {
    throw new UsageError(`--webhook must be a URL such as https://hooks.example.com/budget, not ${text}.`);
  }
  return url.href;
}

const change = (
  context: Pick<CommandContext, 'arguments' | 'open'>,
  input: TenantsChangeInput,
): Promise<TenantsChangeAnswer> => {
  const [tenant = ''] = context.arguments;
  return callSubject(context, changeTenant, { tenant, ...input });
};
