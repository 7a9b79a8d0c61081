/** Commands that change limits and permissions of a key, or of a tenant for all its keys; and what else is agreed with a tenant. */
import { operationNames } from '../../lib/core/operations/operation.ts';
import { databasePolicies } from '../../lib/core/tenancy.ts';
import { asUsageError } from '../call-admin.ts';
import { type Command, UsageError } from '../command.ts';
import { keyCache, tenantCache, tenantsPurgeCache } from './cache.ts';
import { keyDataPolicy, tenantDataPolicy } from './data-policy.ts';
import { keyGuardrails } from './guardrails.ts';
import {
  describeLimits,
  limitOptions,
  limitsTypedAs,
  readList,
  readWhole,
  requireLimits,
  userLimitOptions,
} from './limit-options.ts';
import { changeTenant, type Noun, soon, subjects } from './subjects.ts';

/** Rate limits, budgets and credit. */
const setLimits = (noun: Noun): Command => {
  const { one, argument, example, change } = subjects[noun];
  return {
    name: `${noun} set-limits`,
    summary: `Change the limits of a ${one}`,
    description:
      'Give none to remove a limit. Other limits stay unchanged. A budget counts what was used in its period before it was set.',
    arguments: [argument],
    options: limitOptions,
    examples: [`${noun} set-limits ${example} --budget 50 --requests none`],
    async run({ options, terminal, ...context }) {
      const limits = requireLimits(options, limitOptions);
      const changed = await change(context, { limits }, limitsTypedAs);
      terminal.write(`The ${one} ${context.arguments[0]} has ${describeLimits(changed.limits)}. ${soon}`);
    },
  };
};

const setAllowed = (noun: Noun, field: 'models' | 'operations'): Command => {
  const { one, argument, example, change } = subjects[noun];
  const { description, typed, each } = allowed[field];
  return {
    name: `${noun} set-${field}`,
    summary: `Set the allowed ${field} of a ${one}`,
    description,
    arguments: [argument, field],
    examples: [`${noun} set-${field} ${example} ${typed}`],
    async run({ terminal, ...context }) {
      const list = readList(context.arguments[1] ?? '');
      const changed = await change(context, { [field]: list }, { [field]: `<${field}>` });
      const names = changed[field]?.join(', ') ?? `every ${each}`;
      terminal.write(`The ${one} ${context.arguments[0]} may use ${names}. ${soon}`);
    },
  };
};

const allowed = {
  models: {
    description:
      "A comma-separated list of model ids. 'openai/*' allows all models of an owner, and all allows every model.",
    typed: "'openai/*,anthropic/claude-opus-5'",
    each: 'model',
  },
  operations: {
    description: `A comma-separated list, or all. The operations are: ${operationNames.join(', ')}.`,
    typed: 'chat-completions,embeddings',
    each: 'operation',
  },
} as const;

const tenantsSetUserLimits: Command = {
  name: 'tenants set-user-limits',
  summary: 'Change the limits of each end user of a tenant',
  description:
    'They apply to each x-gateway-user-id on its own. Give none to remove a limit. Other limits stay unchanged.',
  arguments: ['tenant'],
  options: userLimitOptions,
  examples: ['tenants set-user-limits acme --daily-budget 1 --requests 20'],
  async run({ options, terminal, ...context }) {
    const limits = requireLimits(options, userLimitOptions);
    const { id, user_limits } = await changeTenant(context, { user_limits: limits }, limitsTypedAs);
    terminal.write(`Each user of tenant ${id} has ${describeLimits(user_limits)}. ${soon}`);
  },
};

const tenantsSetDatabasePolicy: Command = {
  name: 'tenants set-database-policy',
  summary: 'Choose what happens to requests whose limits cannot be checked',
  description:
    'While the database is unavailable: admit lets them through, refuse answers 503. Default: refuse for a tenant with credit, else admit.',
  arguments: ['tenant', 'policy'],
  examples: ['tenants set-database-policy acme refuse', 'tenants set-database-policy acme default'],
  async run({ terminal, ...context }) {
    const text = context.arguments[1];
    const policy = databasePolicies.find((known) => known === text) ?? null;
    if (policy === null && text !== 'default')
      throw new UsageError(`<policy> must be ${databasePolicies.join(', ')} or default, not ${text}.`);
    const { id } = await changeTenant(context, { on_database_failure: policy }, {});
    terminal.write(`Tenant ${id} has the database policy ${text}. ${soon}`);
  },
};

const tenantsSetThroughput: Command = {
  name: 'tenants set-throughput',
  summary: 'Raise the requests per second that a tenant is prepared for',
  description:
    'The records and limits of the tenant are spread over more items of the database. It cannot be lowered again.',
  arguments: ['tenant', 'requests-per-second'],
  examples: ['tenants set-throughput acme 5000'],
  async run({ terminal, ...context }) {
    const throughput = readWhole(context.arguments[1] ?? '');
    const { id } = await changeTenant(context, { throughput }, { throughput: '<requests-per-second>' });
    terminal.write(`Tenant ${id} is prepared for ${throughput} requests per second. ${soon}`);
  },
};

const tenantsSetAlerts: Command = {
  name: 'tenants set-alerts',
  summary: 'Choose when a tenant’s budgets raise alerts, and where they are posted to',
  description:
    'An alert is raised once for each budget and period, by default at 50, 80 and 100 percent. A webhook is posted each alert, and how each background response ends, signed with a secret that is shown only now. Set the same URL again for a new secret.',
  arguments: ['tenant'],
  options: {
    at: { value: '<list>', description: 'Percentages, comma-separated, or default' },
    webhook: {
      value: '<url>',
      description: 'The URL that alerts and ends of responses are posted to, or none',
    },
  },
  examples: ['tenants set-alerts acme --at 50,80,100 --webhook https://hooks.example.com/budget'],
  async run({ options: { at, webhook }, terminal, ...context }) {
    if (at === undefined && webhook === undefined)
      throw new UsageError('Give at least one of --at, --webhook');
    const alerts = {
      ...(at !== undefined && { at: at === 'default' ? null : readList(at)?.map(readWhole) }),
      ...(webhook !== undefined && { webhook_url: readWebhook(webhook) }),
    };
    const typedAs = { webhook_url: '--webhook' };
    const { id, webhook_secret: secret } = await changeTenant(context, { alerts }, typedAs).catch(
      asUsageError,
    );
    terminal.write(`Changed the alerts of tenant ${id}.`);
    if (secret === undefined) return;
    terminal.write('Copy the secret of the webhook now: it is not shown again.');
    terminal.write(secret);
  },
};

function readWebhook(text: string): string | null {
  if (text === 'none') return null;
  const url = URL.parse(text);
  if (url && ['https:', 'http:'].includes(url.protocol) && !url.username) return url.href;
  throw new UsageError(`--webhook must be a URL such as https://hooks.example.com/budget, not ${text}.`);
}

/** Turns all keys of a tenant off and on. */
const setSuspended = (verb: 'suspend' | 'activate', state: string, summary: string): Command => ({
  name: `tenants ${verb}`,
  summary,
  arguments: ['tenant'],
  examples: [`tenants ${verb} acme`],
  async run({ terminal, ...context }) {
    const { id } = await changeTenant(context, { suspended: verb === 'suspend' }, {});
    terminal.write(`Tenant ${id} is ${state}. ${soon}`);
  },
});

const tenantsSuspend = setSuspended(
  'suspend',
  'suspended',
  'Refuse all keys of a tenant until it is activated again',
);
const tenantsActivate = setSuspended('activate', 'active', 'Accept the keys of a suspended tenant again');

const permissionsOf = (noun: Noun): readonly Command[] => [
  setLimits(noun),
  setAllowed(noun, 'models'),
  setAllowed(noun, 'operations'),
];

export const keyChanges = [...permissionsOf('keys'), keyDataPolicy, keyCache, keyGuardrails];

export const tenantChanges: readonly Command[] = [
  ...permissionsOf('tenants'),
  tenantDataPolicy,
  tenantCache,
  tenantsPurgeCache,
  tenantsSetUserLimits,
  tenantsSetAlerts,
  tenantsSetDatabasePolicy,
  tenantsSetThroughput,
  tenantsSuspend,
  tenantsActivate,
];
