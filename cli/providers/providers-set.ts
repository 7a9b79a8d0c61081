/** `providers set`: stores a provider setting, such as the API key, where the gateway reads it. */
import { accountOf } from '../../lib/admin/providers/setting-value.ts';
import { type GivenSetting, storeSetting } from '../../lib/admin/providers/store-setting.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { callAdmin, operation } from '../call-admin.ts';
import {
  type Command,
  type CommandContext,
  type Installation,
  UsageError,
  withInstallation,
} from '../command.ts';
import { asUsageError } from '../subjects.ts';

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
  checkName(provider, setting);
  const value = await terminal.readValue();
  if (value.trim() === '' && providers.has(provider))
    throw new UsageError('Standard input is empty. Pass the value on standard input.');
  const { location, effect } = await withInstallation(context, (installation) =>
    callAdmin(installation, set, { provider, setting, value }).catch(asUsageError),
  );
  terminal.write(`Stored ${location}. It takes effect ${effect}.`);
}

const set = operation('admin-providers-set', (installation: Installation, given: GivenSetting, user) =>
  storeSetting(installation, user, given),
);

/** A mistyped name is reported before a value is asked for, except that of a host, which the installation knows. */
function checkName(name: string, setting: string): void {
  const provider = providers.get(name);
  try {
    if (provider) accountOf(provider, setting);
  } catch (error) {
    asUsageError(error);
  }
}
