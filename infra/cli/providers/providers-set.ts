/** `providers set`: stores a provider setting, such as the API key, where the gateway reads it. */
import { hasApiKeyPrefix } from '../../../lib/core/api-key.ts';
import { type Provider, settingsOf } from '../../../lib/providers/provider.ts';
import { providers } from '../../all-providers.ts';
import { type Command, type CommandContext, UsageError, withInstallation } from '../command.ts';
import { findOperatorProvider } from './operator-providers.ts';

export const providersSet: Command = {
  name: 'providers set',
  summary: 'Store a setting of a provider',
  description:
    'Reads the value from standard input, and stores it encrypted in the parameter store of a stack, or in .env on this machine. Settings are api-key, base-url, project and others, depending on the provider.',
  arguments: ['provider', 'setting'],
  options: {},
  examples: ['providers set google-vertex credentials --stack ModelGateway < service-account.json'],
  run: ({ arguments: [provider = '', setting = ''], ...context }) => store(provider, setting, context),
};

export const providersSetKey: Command = {
  name: 'providers set-key',
  summary: 'Store the API key of a provider',
  description: 'Short for: providers set <provider> api-key',
  arguments: ['provider'],
  options: {},
  examples: ['providers set-key anthropic < key.txt'],
  run: ({ arguments: [provider = ''], ...context }) => store(provider, 'api-key', context),
};

async function store(
  provider: string,
  setting: string,
  { terminal, ...context }: Pick<CommandContext, 'terminal' | 'open'>,
): Promise<void> {
  const account = accountOf(provider, await findProvider(provider, context), setting);
  const value = readValue(setting, await terminal.readValue());
  const { location, effect } = await withInstallation(context, ({ settings }) =>
    settings.put({ account, setting, value }),
  );
  terminal.write(`Stored ${location}. It takes effect ${effect}.`);
}

/** A provider that ships with the gateway, or a host that the operator added. */
async function findProvider(
  name: string,
  context: Pick<CommandContext, 'open'>,
): Promise<Provider | undefined> {
  return (
    providers.get(name) ?? (await withInstallation(context, ({ hosts }) => findOperatorProvider(hosts, name)))
  );
}

/** The account of a setting. Throws UsageError for an unknown provider or setting. */
function accountOf(name: string, provider: Provider | undefined, setting: string): string {
  if (!provider) {
    throw new UsageError(`Unknown provider: ${name}. The providers are: ${[...providers.keys()].join(', ')}`);
  }
  const { account, settings } = settingsOf(provider);
  if (settings.includes(setting)) return account;
  throw new UsageError(`Unknown setting of ${name}: ${setting}. Its settings are: ${settings.join(', ')}`);
}

const nouns: Readonly<Record<string, string>> = { 'api-key': 'key' };

function readValue(setting: string, text: string): string {
  const noun = nouns[setting] ?? setting;
  const value = text.trim();
  if (value === '') throw new UsageError(`Standard input is empty. Pass the ${noun} on standard input.`);
  if (setting === 'credentials') return compact(value);
  if (/\s/.test(value)) throw new UsageError(`The ${noun} on standard input contains a space.`);
  if (hasApiKeyPrefix(value)) {
    throw new UsageError('This is an API key of the gateway (mgw_...), not of a provider.');
  }
  return value;
}

/** Credentials are a JSON file; whitespace is removed. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // The parser's own message would quote the credentials.
    throw new UsageError('The credentials on standard input are not valid JSON.');
  }
}
