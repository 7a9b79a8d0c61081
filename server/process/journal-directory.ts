/**
 * Where a server notes records until the ledger has them, unless it is set: in the machine's directory of temporary files, one directory
 * for each user of the machine and each database. The next start on the same machine replays it.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tables } from '../../lib/core/tables.ts';

/** What says which database it is. Of credentials only names that are not secret. */
const names = [
  'AWS_REGION',
  'DYNAMODB_ENDPOINT',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_PROFILE',
  'AWS_ROLE_ARN',
  'AWS_ACCESS_KEY_ID',
  tables.usage.environmentVariable,
];

/** Undefined where it cannot be written, or is another user's: then the log has what would be noted there. */
export function journalDirectory(
  variables: Readonly<Record<string, string | undefined>>,
  parent = tmpdir(),
): string | undefined {
  const text = JSON.stringify(names.map((name) => variables[name] ?? ''));
  const user = process.getuid?.() ?? 0;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const path = join(parent, `model-gateway-${user}-${hash}`);
  try {
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    const found = lstatSync(path);
    const isOwn = process.getuid === undefined || (found.uid === user && (found.mode & 0o077) === 0);
    return found.isDirectory() && isOwn ? path : undefined;
  } catch {
    return undefined;
  }
}
