/**
 * The first API key of a local gateway. The database stores only a hash of it, but the gateway prints the key at every
 * start. So it is also stored in a file that only its owner can read.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashApiKey, isWellFormedApiKey } from '../lib/core/names/api-key.ts';
import { type KeyStore, works } from '../lib/stores/access/keys.ts';

/** The tenant of the first key. */
const firstTenant = 'local';

export const firstKeyFile = (dataDirectory: string): string => join(dataDirectory, 'first-key');

/** The key of the last start if it still works, otherwise a new one. */
export async function ensureFirstKey(
  store: Pick<KeyStore, 'create' | 'findByHash'>,
  dataDirectory: string,
): Promise<string> {
  const path = firstKeyFile(dataDirectory);
  const stored = await readStored(path);
  const known = stored === undefined ? undefined : await store.findByHash(hashApiKey(stored));
  if (stored !== undefined && known !== undefined && works(known, Date.now())) return stored;
  const { secret } = await store.create({ tenant: firstTenant, name: 'first key' });
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}

async function readStored(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return isWellFormedApiKey(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
