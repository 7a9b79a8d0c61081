/** `providers set`: keeps a setting of the gateway's own for a provider where the gateway reads it. */
import { isWellFormedApiKey } from '../../../lib/core/api-key.ts';
import { type Provider, settingsOf } from '../../../lib/providers/provider.ts';
import { providers } from '../../all-providers.ts';
import { type Command, type CommandContext, UsageError, withInstallation } from '../command.ts';

export const providersSet: Command = {
  name: 'providers set',
  summary:
    'Store a setting of a provider (api-key, base-url, project, …), read from standard input: encrypted in the parameter store of a stack, or in .env on this machine.',
  arguments: ['provider', 'setting'],
  options: {},
  run: ({ arguments: [provider = '', setting = ''], ...context }) => store(provider, setting, context),
};

export const providersSetKey: Command = {
  name: 'providers set-key',
  summary: "Store a provider's API key: short for providers set <provider> api-key.",
  arguments: ['provider'],
  options: {},
  run: ({ arguments: [provider = ''], ...context }) => store(provider, 'api-key', context),
};

async function store(
  provider: string,
  setting: string,
  { terminal, ...context }: Pick<CommandContext, 'terminal' | 'open'>,
): Promise<void> {
  const account = accountOf(provider, setting);
  const value = readValue(setting, await terminal.readValue());
  const { place, effect } = await withInstallation(context, ({ settings }) =>
    settings.put({ account, setting, value }),
  );
  terminal.write(`Stored ${place}. It takes effect ${effect}.`);
}

/** Whose setting it is. Throws UsageError where there is no such provider or setting. */
function accountOf(name: string, setting: string): string {
  const provider: Provider | undefined = providers.get(name);
  if (!provider) {
    throw new UsageError(
      `There is no provider ${name}. The providers are: ${[...providers.keys()].join(', ')}`,
    );
  }
  const { account, settings } = settingsOf(provider);
  if (settings.includes(setting)) return account;
  throw new UsageError(`${name} has no setting ${setting}. Its settings are: ${settings.join(', ')}`);
}

const nouns: Readonly<Record<string, string>> = { 'api-key': 'key' };

function readValue(setting: string, text: string): string {
  const noun = nouns[setting] ?? setting;
  const value = text.trim();
  if (value === '') throw new UsageError(`There is no ${noun} on standard input.`);
  if (setting === 'credentials') return compact(value);
  if (/\s/.test(value)) throw new UsageError(`The ${noun} on standard input has a space in it.`);
  if (isWellFormedApiKey(value)) {
    throw new UsageError('This is a key of the gateway itself, for its callers: no provider knows it.');
  }
  return value;
}

/** Credentials are a JSON file; its spaces and line breaks are not kept. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // The parser's own message would quote the credentials.
    throw new UsageError('The credentials on standard input are not JSON.');
  }
}
