/**
 * The operator's own OpenAI-compatible hosts on this machine: a JSON list of host rows, in the data directory or where
 * `GATEWAY_HOSTS_FILE` says, read at each start. `lib/providers/hosts/operator-hosts.ts` says what a row may hold.
 */
import { join } from 'node:path';
import { variableOf } from '../lib/core/provider-settings.ts';
import { type OperatorHost, readHostRow } from '../lib/providers/hosts/operator-hosts.ts';
import { faultOf } from '../lib/providers/provider-problems.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import type { HostStore } from '../lib/stores/catalog/hosts.ts';
import type { ProviderChoice } from './environment.ts';
import { readRowsFile } from './own-models.ts';

/**
 * Stores the rows of the file, if there is one, and removes those that an earlier start stored and the file no longer has.
 * Resolves with every host, those of the operator's command included. Throws Error for a file that cannot be used.
 */
export async function writeOwnHosts(
  store: Pick<HostStore, 'list' | 'get' | 'put' | 'remove'>,
  dataDirectory: string,
  named: string | undefined,
): Promise<readonly OperatorHost[]> {
  const path = named || join(dataDirectory, 'hosts.json');
  const rows = (await readRowsFile(path, Boolean(named), 'hosts')).map((row, index) => ({
    row,
    host: readRow(row, path, index),
  }));
  const names = rows.map(({ host }) => host.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new Error(`The hosts file ${path} has two rows with the name ${repeated}.`);
  const stored = await store.list();
  const stale = stored.filter(({ name, source }) => source === 'file' && !names.includes(name));
  for (const { name } of stale) await store.remove(name);
  for (const { host, row } of rows) await store.put({ name: host.name, source: 'file', row });
  const others = stored.filter(({ name, source }) => source === 'command' && !names.includes(name));
  return [...rows.map(({ host }) => host), ...others.flatMap(({ row }) => readStored(row))];
}

/** None for a row that this version cannot use: the functions report it when a request names it. */
function readStored(row: unknown): readonly OperatorHost[] {
  try {
    return [readHostRow(row, 'ignore')];
  } catch {
    return [];
  }
}

function readRow(row: unknown, path: string, index: number): OperatorHost {
  try {
    return readHostRow(row);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const fault = message.replace(/^Malformed host row: /, '');
    throw new Error(`Row ${index + 1} of the hosts file ${path} is not valid. ${fault}.`, { cause });
  }
}

/** Which hosts can be called, and why the others cannot. */
export function chooseHosts(variables: Variables, hosts: readonly OperatorHost[]): readonly ProviderChoice[] {
  return hosts.map(({ name, needsKey = true }) => {
    const variable = variableOf(name, 'api-key');
    const key = variables[variable];
    const missing = needsKey ? 'is missing' : undefined;
    const fault = key ? faultOf('api-key', key) : missing;
    if (fault === undefined) return { provider: name, kind: 'real' };
    return { provider: name, kind: 'nothing', reason: `${variable} ${fault}` };
  });
}
