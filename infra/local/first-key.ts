/**
 * The first API key of a local gateway. A key is told only once, and the gateway prints it at every start: so here, on
 * the owner's own machine, it is kept in a file that only the owner can read.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashApiKey, isWellFormedApiKey } from '../../lib/core/api-key.ts';
import { type KeyStore, works } from '../../lib/stores/access/keys.ts';

/** The tenant that the first key belongs to. */
const firstTenant = 'local';

/** The key of the last start where it still is in the store, else a new one. */
export async function ensureFirstKey(
  store: Pick<KeyStore, 'create' | 'findByHash'>,
  dataDirectory: string,
): Promise<string> {
  const path = join(dataDirectory, 'first-key');
  const kept = await readKept(path);
  const known = kept === undefined ? undefined : await store.findByHash(hashApiKey(kept));
  if (kept !== undefined && known !== undefined && works(known, Date.now())) return kept;
  const { secret } = await store.create({ tenant: firstTenant, name: 'first key' });
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}

async function readKept(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return isWellFormedApiKey(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
