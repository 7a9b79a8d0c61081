/** `providers add-host`, `list-hosts` and `remove-host`: OpenAI-compatible hosts, which the gateway can call without a deployment. */
import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { asUsageError, callAdmin } from '../call-admin.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { jsonOption, writeListing } from '../listing.ts';
import { readJsonFile } from '../read-file.ts';

const providersAddHost: Command = {
  name: 'providers add-host',
  summary: 'Add or replace an OpenAI-compatible host',
  description:
    'The host is then a provider: store its key with `providers set-key`, and add its models with `catalog add`. The options replace members of the file.',
  arguments: ['host'],
  options: {
    'base-url': { value: '<url>', description: 'Its address, up to and including the version segment' },
    file: { value: '<path>', description: 'A JSON file with a host row, for settings without an option' },
    unsupported: { value: '<parameters>', description: 'Parameters that it does not support, with commas' },
    takes: {
      value: '<parameters>',
      description: 'Parameters that it takes and most hosts do not, with commas',
    },
    choices: { value: '<count>', description: 'The highest n that it supports' },
    embeddings: { description: 'It also serves embeddings' },
    rerank: { description: 'It also ranks documents, at rerank below its address' },
    speech: { description: 'It also speaks, at audio/speech below its address' },
    transcriptions: { description: 'It also transcribes, at audio/transcriptions below its address' },
    'image-urls': { description: 'It fetches images by URL itself; otherwise the gateway does' },
    'native-fields': {
      value: '<names>',
      description: 'Fields that callers may give in native_fields, with commas',
    },
    messages: { description: 'It also serves the Anthropic protocol, at messages below its address' },
    'no-key': { description: 'It can be called without an API key' },
    'no-names': { description: 'It does not support the names of participants' },
  },
  examples: [
    'providers add-host vllm-a --base-url http://10.0.0.5:8000/v1 --no-key --embeddings --messages',
    'providers add-host newhost --base-url https://api.newhost.example/v1 --unsupported seed,logit_bias --stack ModelGateway',
    'providers add-host newhost --file newhost.json',
  ],
  async run({ arguments: [name = ''], options, flags, terminal, ...context }) {
    const row: JsonObject = { ...(await readFileRow(options.file)), ...readOptions(options, flags), name };
    const { created, base_url: baseUrl } = await callAdmin(context, 'admin-hosts-put', {
      host: name,
      row,
    }).catch(asUsageError);
    terminal.write(
      `${created ? 'Added' : 'Replaced'} ${name} (${baseUrl}). It takes effect within a minute.`,
    );
    if (created && row.needsKey !== false)
      terminal.writeError(`Store its API key: providers set-key ${name}`);
  },
};

async function readFileRow(path: string | undefined): Promise<JsonObject> {
  if (path === undefined) return {};
  const row = await readJsonFile(path);
  if (!isJsonObject(row)) throw new UsageError(`${path} is not a JSON object.`);
  return row;
}

function readOptions(options: CommandContext['options'], flags: CommandContext['flags']): JsonObject {
  const { 'base-url': baseUrl, 'native-fields': nativeFields, unsupported, takes, choices } = options;
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(unsupported !== undefined && { unsupported: names(unsupported) }),
    ...(takes !== undefined && { takes: names(takes) }),
    ...(nativeFields !== undefined && { nativeFields: names(nativeFields) }),
    ...(choices !== undefined && { choices: readChoices(choices) }),
    ...(flags.has('embeddings') && { embeddings: {} }),
    ...(flags.has('rerank') && { rerank: {} }),
    ...(flags.has('speech') && { speaks: true }),
    ...(flags.has('transcriptions') && { transcribes: true }),
    ...(flags.has('image-urls') && { takesImageUrls: true }),
    ...(flags.has('messages') && { servesMessages: true }),
    ...(flags.has('no-key') && { needsKey: false }),
    ...(flags.has('no-names') && { takesNames: false }),
  };
}

const names = (list: string): readonly string[] => list.split(',').map((name) => name.trim());

function readChoices(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new UsageError('--choices must be a whole number from 1 to 128.');
}

const sources = { operator: 'providers add-host', file: 'hosts file' } as const;

const providersListHosts: Command = {
  name: 'providers list-hosts',
  summary: 'List the OpenAI-compatible hosts that you added',
  description: 'With --json, whole rows. The built-in hosts are in `providers list`.',
  options: jsonOption,
  examples: ['providers list-hosts', 'providers list-hosts --json --stack ModelGateway'],
  async run({ terminal, format, ...context }) {
    const { data } = await callAdmin(context, 'admin-hosts-list', {});
    const rows = data.map(({ id, base_url, written_by, row }) => ({
      host: id,
      base_url,
      from: sources[written_by],
      row,
    }));
    writeListing({ terminal, format }, rows, ['host', 'base_url', 'from']);
  },
};

const providersRemoveHost: Command = {
  name: 'providers remove-host',
  summary: 'Remove an OpenAI-compatible host that you added',
  description: 'Its models stay in the catalog, and its stored API key is not removed.',
  arguments: ['host'],
  examples: ['providers remove-host vllm-a'],
  async run({ arguments: [name = ''], terminal, ...context }) {
    const { models } = await callAdmin(context, 'admin-hosts-delete', { host: name }).catch(asUsageError);
    terminal.write(`Removed ${name}. It takes effect within a minute.`);
    if (models.length > 0) terminal.writeError(`These models still name it: ${models.join(', ')}`);
  },
};

export const hostCommands: readonly Command[] = [providersAddHost, providersListHosts, providersRemoveHost];
