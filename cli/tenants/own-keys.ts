/** `own-keys`: the keys of tenants' own for providers. A secret is read from standard input, and never shown. */
import type { CredentialRow } from '../../lib/admin/credentials/schema.ts';
import { asUsageError, byOption, callAdmin } from '../call-admin.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { jsonOption, type Row, timeOf, writeListing, writeOne } from '../listing.ts';

const columns = [
  'id',
  'provider',
  'status',
  'position',
  'fallback',
  'name',
  'last4',
  'last_used_at',
  'last_failure',
];

const ownKeysList: Command = {
  name: 'own-keys list',
  summary: "List a tenant's own keys for providers, in the order of their use",
  description: 'Secrets are never shown.',
  arguments: ['tenant'],
  options: jsonOption,
  examples: ['own-keys list acme', 'own-keys list acme --json'],
  async run({ arguments: [tenant = ''], ...context }) {
    const { data } = await callAdmin(context, 'admin-credentials-list', { tenant });
    if (data.length === 0) context.terminal.writeError('No keys found.');
    writeListing(context, data.map(rowOf), columns);
  },
};

const rowOf = ({ object: _, created_at, last_used_at, last_failed_at, ...row }: CredentialRow): Row => ({
  ...row,
  created_at: timeOf(created_at),
  last_used_at: timeOf(last_used_at),
  last_failed_at: timeOf(last_failed_at),
});

const listed = (text: string | undefined) => text?.split(',').map((one) => one.trim());

const ownKeysAdd: Command = {
  name: 'own-keys add',
  summary: 'Add an own key of a tenant for a provider',
  description:
    'Reads the key from standard input, or the JSON key of a service account, and stores it encrypted. It is used after those that are there.',
  arguments: ['tenant', 'provider'],
  options: {
    set: {
      value: '<name=value,…>',
      description: 'Other settings: resource of Azure, project and location of Vertex',
    },
    name: { value: '<name>', description: 'What people call it' },
    fallback: {
      value: 'none|shared',
      description: 'Whether the accounts of the gateway follow (default: none)',
    },
    models: {
      value: '<models>',
      description: 'The models that it is for, separated by commas (default: all)',
    },
    ...byOption,
    ...jsonOption,
  },
  examples: [
    'own-keys add acme openai < key.txt',
    'own-keys add acme azure --set resource=acme-west < key.txt',
  ],
  async run({ arguments: [tenant = '', provider = ''], options, ...context }) {
    const value = (await context.terminal.readValue()).trim();
    if (value === '') throw new UsageError('Standard input is empty. Pass the key on standard input.');
    const secret = value.startsWith('{') ? { credentials: value } : { 'api-key': value };
    const { name, fallback = 'none' } = options;
    if (fallback !== 'none' && fallback !== 'shared')
      throw new UsageError('--fallback must be none or shared.');
    const models = listed(options.models);
    const input = {
      tenant,
      provider,
      settings: { ...secret, ...settingsIn(options.set) },
      fallback,
      ...(name !== undefined && { name }),
      ...(models && { models }),
    } as const;
    const row = await callAdmin({ ...context, options }, 'admin-credentials-create', input).catch(
      asUsageError,
    );
    writeOne(context, rowOf(row));
  },
};

const settingsIn = (text = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return name === '' ? [] : [[name.trim(), value.trim()]];
    }),
  );

const ofOne = {
  arguments: ['tenant', 'id'],
  options: { ...byOption, ...jsonOption },
} as const;

const change = (
  name: string,
  summary: string,
  body: { readonly disabled?: boolean; readonly position?: number },
): Command => ({
  name: `own-keys ${name}`,
  summary,
  description: 'It holds everywhere within ten seconds.',
  ...ofOne,
  examples: [`own-keys ${name} acme cred_0123456789abcdef`],
  run: ({ arguments: [tenant = '', credential = ''], ...context }) =>
    writeChanged(context, { tenant, credential, ...body }),
});

async function writeChanged(
  context: Omit<CommandContext, 'arguments'>,
  input: { readonly tenant: string; readonly credential: string },
): Promise<void> {
  const row = await callAdmin(context, 'admin-credentials-change', input).catch(asUsageError);
  writeOne(context, rowOf(row));
}

const ownKeysTest: Command = {
  name: 'own-keys test',
  summary: 'Ask the provider whether it accepts an own key',
  description: 'The call is free of charge. The command fails where the key is refused.',
  ...ofOne,
  examples: ['own-keys test acme cred_0123456789abcdef'],
  async run({ arguments: [tenant = '', credential = ''], ...context }) {
    const input = { tenant, credential };
    const { object: _, ...result } = await callAdmin(context, 'admin-credentials-test', input).catch(
      asUsageError,
    );
    writeOne(context, result);
    if (result.ok === false) throw new Error(`The provider did not accept the key: ${result.failure}.`);
  },
};

const ownKeysDelete: Command = {
  name: 'own-keys delete',
  summary: 'Delete an own key',
  description: 'It is not used any more ten seconds later. It stays valid at the provider.',
  ...ofOne,
  examples: ['own-keys delete acme cred_0123456789abcdef'],
  async run({ arguments: [tenant = '', credential = ''], ...context }) {
    const input = { tenant, credential };
    const { id } = await callAdmin(context, 'admin-credentials-delete', input).catch(asUsageError);
    context.terminal.write(`Deleted ${id}.`);
  },
};

export const ownKeyCommands: readonly Command[] = [
  ownKeysList,
  ownKeysAdd,
  ownKeysTest,
  change('use-first', 'Use an own key before the others for its provider', { position: 0 }),
  change('disable', 'Disable an own key', { disabled: true }),
  change('enable', 'Enable an own key again', { disabled: false }),
  ownKeysDelete,
];
