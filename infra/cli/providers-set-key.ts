/** `providers set-key`: stores the gateway's own key for a provider, encrypted, where the functions read it. */
import { providers } from '../../lib/providers/registry.ts';
import { type Command, type Installation, UsageError, withInstallation } from './command.ts';

export const providersSetKey: Command = {
  name: 'providers set-key',
  summary: "Store a provider's API key, read from standard input, in the parameter store of a stack.",
  arguments: ['provider'],
  options: {},
  async run({ arguments: [provider = ''], terminal, ...context }) {
    if (!providers.has(provider)) {
      const known = [...providers.keys()].join(', ');
      throw new UsageError(`There is no provider ${provider}. The providers are: ${known}`);
    }
    const name = await withInstallation(context, async (installation) => {
      const { call, prefix } = parametersOf(installation, provider);
      const key = readKey(await terminal.readLine());
      const parameter = `${prefix}/${provider}/api-key`;
      await call('AmazonSSM.PutParameter', {
        Name: parameter,
        Value: key,
        Type: 'SecureString',
        Overwrite: true,
      });
      return parameter;
    });
    terminal.write(`Stored the key as ${name}. It takes effect within five minutes.`);
  },
};

function parametersOf({ parameters }: Installation, provider: string) {
  if (parameters) return parameters;
  const variable = `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
  throw new UsageError(
    `A local gateway reads this key from ${variable}, also in .env. For a stack, add --stack`,
  );
}

function readKey(line: string): string {
  const key = line.trim();
  if (key === '') throw new UsageError('There is no key on standard input.');
  if (/\s/.test(key)) throw new UsageError('The key on standard input has a space in it.');
  return key;
}
