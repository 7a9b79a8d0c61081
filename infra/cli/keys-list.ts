/** `keys list`: shows every key, without its secret. */
import type { StoredApiKey } from '../../lib/stores/keys.ts';
import { type Command, withInstallation } from './command.ts';

export const keysList: Command = {
  name: 'keys list',
  summary: 'List all API keys, oldest first. Secrets are not stored and cannot be shown.',
  arguments: [],
  options: {},
  async run({ terminal, ...context }) {
    const keys = await withInstallation(context, (installation) => installation.keys.list());
    if (keys.length === 0)
      return terminal.tell('There are no keys yet. Make one with: keys create --tenant <name>');
    const rows = keys.map((key) => [key.id, key.tenant, day(key.createdAt), status(key), key.name ?? '']);
    for (const line of aligned([['ID', 'TENANT', 'CREATED', 'STATUS', 'NAME'], ...rows]))
      terminal.write(line);
  },
};

const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

function status({ disabledAt, expiresAt }: StoredApiKey): string {
  if (disabledAt !== undefined) return `disabled ${day(disabledAt)}`;
  if (expiresAt === undefined) return 'active';
  return `${expiresAt * 1000 <= Date.now() ? 'expired' : 'active until'} ${day(expiresAt)}`;
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = (rows[0] ?? []).map((_, column) => width(column));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
