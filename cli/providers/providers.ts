/** `providers list`, `set`, `set-key`, `remove` and `test`: settings of providers, such as the API key. */
import type { ProviderAnswer } from '../../lib/admin/providers/schema.ts';
import { accountOf } from '../../lib/admin/providers/store-setting.ts';
import { loadAllProviders } from '../../lib/providers/registry.ts';
import { asUsageError, callAdmin } from '../call-admin.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { jsonOption, type Row, writeListing, writeOne } from '../listing.ts';

const show = (value: unknown) => (Array.isArray(value) ? value.join(', ') : '');

const columns = [
  'provider',
  ['ready', (value: unknown) => (value === true ? 'yes' : 'no')],
  ['settings', show],
  ['from', show],
] as const;

const providersList: Command = {
  name: 'providers list',
  summary: 'List providers and where their credentials are stored',
  description:
    'Values are never shown. A provider that is not ready is answered by the sandbox on this machine.',
  options: jsonOption,
  examples: ['providers list', 'providers list --stack ModelGateway'],
  async run({ terminal, format, ...context }) {
    const { data } = await callAdmin(context, 'admin-providers-list', {});
    const rows = data.map(toRow);
    const isFaulty = rows.some(({ problem }) => problem !== null);
    writeListing({ terminal, format }, rows, isFaulty ? [...columns, 'problem'] : columns);
  },
};

const toRow = ({ id, configured, settings, sources, problem }: ProviderAnswer): Row => ({
  provider: id,
  ready: configured,
  settings: settings.flatMap(({ name, is_set, fault }) => (is_set && fault === null ? [name] : [])),
  from: sources,
  problem,
});

const providersSet: Command = {
  name: 'providers set',
  summary: 'Store a setting of a provider',
  description:
    'Reads the value from standard input, and stores it encrypted in the parameter store of a stack, or in .env on this machine. Settings are api-key, base-url, project and others, depending on the provider.',
  arguments: ['provider', 'setting'],
  examples: ['providers set google-vertex credentials --stack ModelGateway < service-account.json'],
  run: ({ arguments: [provider = '', setting = ''], ...context }) => store(provider, setting, context),
};

const providersSetKey: Command = {
  name: 'providers set-key',
  summary: 'Store the API key of a provider',
  description: 'Short for: providers set <provider> api-key',
  arguments: ['provider'],
  examples: ['providers set-key anthropic < key.txt'],
  run: ({ arguments: [provider = ''], ...context }) => store(provider, 'api-key', context),
};

async function store(
  provider: string,
  setting: string,
  { terminal, ...context }: Pick<CommandContext, 'terminal' | 'open'>,
): Promise<void> {
  await checkName(provider, setting);
  const value = await terminal.readValue();
  if (value.trim() === '' && (await loadAllProviders()).has(provider))
    throw new UsageError('Standard input is empty. Pass the value on standard input.');
  const input = { provider, setting, value };
  const { location, effect } = await callAdmin(context, 'admin-providers-set', input).catch(asUsageError);
  terminal.write(`Stored ${location}. It takes effect ${effect}.`);
}

/** A mistyped name is reported before a value is asked for, except that of a host, which the installation knows. */
async function checkName(name: string, setting: string): Promise<void> {
  const provider = (await loadAllProviders()).get(name);
  try {
    if (provider) accountOf(provider, setting);
  } catch (error) {
    asUsageError(error);
  }
}

const providersRemove: Command = {
  name: 'providers remove',
  summary: 'Remove a stored setting of a provider',
  description: 'A key stays valid at the provider: revoke it there.',
  arguments: ['provider', 'setting'],
  examples: ['providers remove groq api-key --stack ModelGateway'],
  async run({ arguments: [provider = '', setting = ''], terminal, ...context }) {
    await checkName(provider, setting);
    const input = { provider, setting };
    const { location, effect } = await callAdmin(context, 'admin-providers-remove', input).catch(
      asUsageError,
    );
    terminal.write(`Removed ${location}. It takes effect ${effect}.`);
  },
};

const providersTest: Command = {
  name: 'providers test',
  summary: 'Ask a provider whether it accepts the stored key',
  description:
    'The call is free of charge, and made by the gateway itself. The command fails where the key is not accepted.',
  arguments: ['provider'],
  options: jsonOption,
  examples: ['providers test openai --url https://gateway.example.com'],
  async run({ arguments: [provider = ''], ...context }) {
    const { object: _, ...result } = await callAdmin(context, 'admin-providers-test', { provider }).catch(
      asUsageError,
    );
    writeOne(context, result);
    if (result.ok === false) throw new Error(`The provider did not accept the key: ${result.failure}.`);
  },
};

export const providerCommands: readonly Command[] = [
  providersList,
  providersSet,
  providersSetKey,
  providersRemove,
  providersTest,
];
