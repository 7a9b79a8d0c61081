/**
 * The composition root: from the environment to the real parts. The only place that reads `process.env`, and the only
 * one that knows which part stands behind which port.
 */
import { randomUUID } from 'node:crypto';
import type { AwsCall, Catalog, FindApiKey, Log } from '../core/ports.ts';
import { type TableName, tables } from '../core/tables.ts';
import type { Connections } from '../providers/generate.ts';
import { createFindToken } from '../providers/google-vertex/token.ts';
import { type Provider, settingsOf } from '../providers/provider.ts';
import { providers } from '../providers/registry.ts';
import { createHealth, type Health } from '../routing/health.ts';
import { createAccessStore, createFindApiKey } from '../stores/access.ts';
import { createCatalog, createCatalogStore } from '../stores/catalog.ts';
import { createSharedNotes } from '../stores/state.ts';
import { createAwsCall } from '../transport/aws-call.ts';
import { createHttpClient } from '../transport/http-client.ts';
import { createImageFetcher } from '../transport/image-fetcher.ts';
import { createSigner } from '../transport/sign.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { createLog } from './log.ts';
import { createFindProviderAccess } from './provider-access.ts';

export interface Runtime {
  readonly now: () => number;
  readonly newId: (prefix: string) => string;
  readonly log: Log;
  readonly heartbeatMs: number | undefined;
  readonly findApiKey: FindApiKey;
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly connections: Connections;
  /** How the targets fared lately, as far as this environment has seen. */
  readonly health: Health;
}

/** Makes the parts; opens no connection. Throws when the environment is not what a function needs. */
export function createRuntime(variables: NodeJS.ProcessEnv = process.env): Runtime {
  const environment = readEnvironment(variables);
  const { AWS_REGION: region, DYNAMODB_ENDPOINT: endpoint } = environment;
  const now = Date.now;
  const log = createLog();
  const { send } = createHttpClient();
  const sign = createSigner(async () => credentialsOf(environment));
  const aws = { send, sign, region };
  const dynamodb = createAwsCall({
    ...aws,
    service: 'dynamodb',
    jsonVersion: '1.0',
    ...(endpoint !== undefined && { endpoint }),
  });
  const ssm = createAwsCall({ ...aws, service: 'ssm', jsonVersion: '1.1' });
  const prefix = environment.PROVIDER_PARAMETERS_PREFIX;
  return {
    now,
    newId: (start) => start + randomUUID().replaceAll('-', ''),
    log,
    heartbeatMs: environment.GATEWAY_HEARTBEAT_MS,
    findApiKey: createFindApiKey({
      store: createAccessStore(tableOptions(environment, 'access', dynamodb)),
      now,
    }),
    catalog: createCatalog({
      store: createCatalogStore(tableOptions(environment, 'catalog', dynamodb)),
      now,
      warn: (id, reason) => log.warn('malformed catalog row', { model: id, reason }),
    }),
    providers,
    health: createHealth({ now }),
    connections: {
      send,
      findAccess: createFindProviderAccess({
        variables,
        settingsOf: accountOf,
        sign,
        findToken: createFindToken({ send, now }),
        now,
        ...(prefix !== undefined && { parameters: { call: ssm, prefix } }),
      }),
      fetchImage: createImageFetcher(),
      notes: createSharedNotes({
        ...tableOptions(environment, 'state', dynamodb),
        now,
        warn: (cause) => log.warn('state table failed', { reason: errorName(cause) }),
      }),
      clocks: clocksOf(environment),
    },
  };
}

/** A provider that a row of the catalog names and nobody knows has no settings. */
function accountOf(name: string) {
  const provider = providers.get(name);
  return provider ? settingsOf(provider) : { account: name, settings: [] };
}

const errorName = (cause: unknown) => (cause instanceof Error ? cause.name : 'unknown');

/** A function is given the names of the tables it may read, and no others: using another one fails at its first read. */
function tableOptions(environment: Environment, table: TableName, call: AwsCall) {
  return { call, table: environment[tables[table].environmentVariable] ?? `no ${table} table` };
}

function credentialsOf(environment: Environment) {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('There are no AWS credentials.');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

function clocksOf(environment: Environment): Connections['clocks'] {
  const connectMs = environment.GATEWAY_CONNECT_TIMEOUT_MS;
  const firstByteMs = environment.GATEWAY_FIRST_BYTE_TIMEOUT_MS;
  const silenceMs = environment.GATEWAY_SILENCE_TIMEOUT_MS;
  return {
    ...(connectMs !== undefined && { connectMs }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(silenceMs !== undefined && { silenceMs }),
  };
}
