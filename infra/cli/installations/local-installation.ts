/**
 * A gateway on this machine. Its database allows one process at a time: while the gateway runs, this command uses the
 * one that the gateway opened, and else opens it by itself.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { createLimitStore } from '../../../lib/stores/limits/limits.ts';
import { createUsageStore } from '../../../lib/stores/usage/usage.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { type Installation, readDays } from '../command.ts';
import { createLocalSettings, type LocalSettingsOptions } from './local-settings.ts';

export interface LocalOptions extends LocalSettingsOptions {
  readonly dataDirectory: string;
}

interface Database {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** On this machine a table is named like its concern. */
export async function openLocal({ dataDirectory, ...options }: LocalOptions): Promise<Installation> {
  const database = (await findRunning(dataDirectory)) ?? (await startOwn(dataDirectory));
  const { call, close } = connectDatabase(database.endpoint);
  const usage = { call, table: 'usage', now: Date.now };
  return {
    keys: createKeyStore({ call, table: 'access' }),
    tenants: createTenantStore({ call, table: 'access' }),
    catalog: createCatalogStore({ call, table: 'catalog' }),
    usage: createUsageStore({ ...usage, ledgerDays: readDays(options.variables.GATEWAY_LEDGER_DAYS) }),
    limits: createLimitStore(usage),
    settings: createLocalSettings(options),
    close: async () => {
      await close();
      await database.close();
    },
  };
}

/** The database of a gateway that runs now, by the note it leaves in its data directory. */
async function findRunning(dataDirectory: string): Promise<Database | undefined> {
  const note = await readNote(join(dataDirectory, 'database.json'));
  if (note === undefined || !isAlive(note.pid) || !(await answers(note.endpoint))) return undefined;
  return { endpoint: note.endpoint, close: async () => {} };
}

async function readNote(path: string): Promise<{ endpoint: string; pid: number } | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof note !== 'object' || note === null) return undefined;
    const { endpoint, pid } = note as { endpoint?: unknown; pid?: unknown };
    return typeof endpoint === 'string' && typeof pid === 'number' ? { endpoint, pid } : undefined;
  } catch {
    // No note, or half a note: no gateway runs.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A process id may belong to another program by now: a gateway that was killed leaves its note behind. */
async function answers(endpoint: string): Promise<boolean> {
  return await fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
}

async function startOwn(dataDirectory: string): Promise<Database> {
  // Loads a database engine, which a command for a stack or a running gateway does not need.
  const { startDatabase } = await import('../../local/database.ts');
  return await startDatabase({ dataDirectory });
}
