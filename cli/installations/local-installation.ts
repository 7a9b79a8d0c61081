/**
 * A gateway on this machine. Only one process may open its database: if the gateway runs, commands use the database that
 * the gateway opened; otherwise they open it themselves. Commands that need no data open nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditLog } from '../../lib/core/accounting/audit.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { createSealer } from '../../lib/runtime/own-keys/seal.ts';
import {
  createLocalSettings,
  type LocalSettingsOptions,
} from '../../lib/runtime/provider-settings/local-settings.ts';
import { deriveFromFile } from '../../lib/runtime/stack-secret.ts';
import type { HostStore } from '../../lib/stores/catalog/hosts.ts';
import type { ProviderDataStore } from '../../lib/stores/catalog/provider-data.ts';
import { createSessionStore } from '../../lib/stores/sessions/sessions.ts';
import { readAddress } from '../../local/dashboard-url.ts';
import { connectDatabase, findRunning } from '../../local/database-call.ts';
import { databaseDirectory } from '../../local/database-files.ts';
import type { Installation } from '../command.ts';
import { composeInstallation } from './compose-installation.ts';

interface LocalOptions extends LocalSettingsOptions {
  readonly dataDirectory: string;
}

interface Database {
  readonly call: AwsCall;
  close(): Promise<void>;
}

/** Locally, a table has the name of its purpose. */
export function openLocal({ dataDirectory, ...options }: LocalOptions): Installation {
  const { call, close } = openWhenUsed(dataDirectory);
  const { GATEWAY_LEDGER_DAYS: ledgerDays } = options.variables;
  const installation = composeInstallation({ call, nameOf: (purpose) => purpose, ledgerDays });
  return {
    ...installation,
    hosts: readableHosts(installation.hosts, dataDirectory),
    providerData: readableData(installation.providerData, dataDirectory),
    audit: writableAudit(installation.audit, dataDirectory),
    settings: createLocalSettings(options),
    sealer: createSealer({
      derive: deriveFromFile(options.variables.GATEWAY_SECRET_FILE || join(dataDirectory, 'secret')),
      kms: () => Promise.reject(new Error('A gateway on this machine has no key in KMS.')),
    }),
    dashboard: {
      sessions: createSessionStore({ call, table: 'state', now: Date.now }),
      url: () => readAddress(dataDirectory),
    },
    close,
  };
}

/** Before the first start there is no database. What is stored then, keys of providers in the `.env` file, needs no record. */
function writableAudit(audit: AuditLog, dataDirectory: string): AuditLog {
  if (existsSync(databaseDirectory(dataDirectory))) return audit;
  return { ...audit, write: async () => {} };
}

/** Before the first start there are no hosts, and commands that only read them need no data. */
function readableHosts(hosts: HostStore, dataDirectory: string): HostStore {
  if (existsSync(databaseDirectory(dataDirectory))) return hosts;
  return { ...hosts, get: async () => undefined, list: async () => [] };
}

function openWhenUsed(dataDirectory: string): Database {
  let opened: Promise<Database> | undefined;
  return {
    call: async (...action) => {
      opened ??= openDatabase(dataDirectory);
      return await (await opened).call(...action);
    },
    close: async () => {
      // One that could not be opened has nothing to close; the call has rejected already.
      const database = await opened?.catch(() => undefined);
      await database?.close();
    },
  };
}

async function openDatabase(dataDirectory: string): Promise<Database> {
  const running = await findRunning(dataDirectory);
  if (running) return connectDatabase(running.endpoint);
  if (!existsSync(databaseDirectory(dataDirectory))) {
    throw new Error(`No gateway data in ${dataDirectory}. Run \`npm start\` once to create it.`);
  }
  // Loads a database engine, which a command for a stack or a running gateway does not need.
  const [{ startDatabase }, { startLocalAggregator }] = await Promise.all([
    import('../../local/database.ts'),
    import('../../local/stream/feed.ts'),
  ]);
  const database = await startDatabase({ dataDirectory });
  const feed = startLocalAggregator(database);
  return {
    call: database.call,
    close: async () => {
      await feed.close();
      await database.close();
    },
  };
}

function readableData(providerData: ProviderDataStore, dataDirectory: string): ProviderDataStore {
  return existsSync(databaseDirectory(dataDirectory))
    ? providerData
    : { ...providerData, all: async () => ({}) };
}
