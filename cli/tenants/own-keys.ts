/** `own-keys`: the keys of tenants' own for providers. A secret is read from standard input, and never shown. */
import type { CredentialRow } from '../../lib/admin/credentials/schema.ts';
import { typedSettings } from '../../lib/admin/credentials/typed-settings.ts';
import { asUsageError, byOption, callAdmin } from '../call-admin.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { jsonOption, type Row, timeOf, writeListing, writeOne } from '../listing.ts';
import { readList } from './limit-options.ts';

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
    const value = await context.terminal.readValue();
    if (value.trim() === '') throw new UsageError('Standard input is empty. Pass the key on standard input.');
    const { name, fallback = 'none', models } = options;
    if (fallback !== 'none' && fallback !== 'shared')
      throw new UsageError('--fallback must be none or shared.');
    const input = {
      tenant,
      provider,
      settings: typedSettings(value, options.set),
      fallback,
      ...(name !== undefined && { name }),
      ...(models !== undefined && { models: readList(models) }),
    } as const;
    const row = await callAdmin({ ...context, options }, 'admin-credentials-create', input).catch(
      asUsageError,
    );
    writeOne(context, rowOf(row));
  },
};

/** What is done to one key. */
const ofOne = (
  command: Pick<Command, 'name' | 'summary' | 'description'>,
  work: (context: Context, of: { readonly tenant: string; readonly credential: string }) => Promise<void>,
): Command => ({
  ...command,
  arguments: ['tenant', 'id'],
  options: { ...byOption, ...jsonOption },
  examples: [`${command.name} acme cred_0123456789abcdef`],
  run: ({ arguments: [tenant = '', credential = ''], ...context }) =>
    work(context, { tenant, credential }).catch(asUsageError),
});

type Context = Omit<CommandContext, 'arguments'>;

const change = (
  name: string,
  summary: string,
  body: { readonly disabled?: boolean; readonly position?: number },
): Command =>
  ofOne(
    { name: `own-keys ${name}`, summary, description: 'It holds everywhere within ten seconds.' },
    async (context, of) =>
      writeOne(context, rowOf(await callAdmin(context, 'admin-credentials-change', { ...of, ...body }))),
  );

const ownKeysTest = ofOne(
  {
    name: 'own-keys test',
    summary: 'Ask the provider whether it accepts an own key',
    description: 'The call is free of charge. The command fails where the key is refused.',
  },
  async (context, of) => {
    const { object: _, ...result } = await callAdmin(context, 'admin-credentials-test', of);
    writeOne(context, result);
    if (result.ok === false) throw new Error(`The provider did not accept the key: ${result.failure}.`);
  },
);

const ownKeysDelete = ofOne(
  {
    name: 'own-keys delete',
    summary: 'Delete an own key',
    description: 'It is not used any more ten seconds later. It stays valid at the provider.',
  },
  async (context, of) => {
    const { id } = await callAdmin(context, 'admin-credentials-delete', of);
    context.terminal.write(`Deleted ${id}.`);
  },
);

export const ownKeyCommands: readonly Command[] = [
  ownKeysList,
  ownKeysAdd,
  ownKeysTest,
  change('use-first', 'Use an own key before the others for its provider', { position: 0 }),
  change('disable', 'Disable an own key', { disabled: true }),
  change('enable', 'Enable an own key again', { disabled: false }),
  ownKeysDelete,
];
