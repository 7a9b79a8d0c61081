/** The key that a local gateway prints at every start: the same one as long as it works. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeyId } from '../../lib/core/names/api-key.ts';
import { createKeyEdits, type KeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore, type KeyStore } from '../../lib/stores/access/keys.ts';
import { ensureFirstKey } from '../../local/first-key.ts';
import { useTestDatabase } from '../stores/database.ts';

const database = useTestDatabase('access');
let directory: string;
let keys: KeyStore;
let edits: KeyEdits;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  keys = createKeyStore({ call: database.call, table: 'access' });
  edits = createKeyEdits({ call: database.call, table: 'access' });
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

test('stays the same until it is disabled, or rotated without an overlap', async () => {
  const first = await ensureFirstKey(keys, directory);
  expect(await ensureFirstKey(keys, directory)).toBe(first);
  await edits.disable(apiKeyId(first), () => {});
  const second = await ensureFirstKey(keys, directory);
  expect(second).not.toBe(first);
  await edits.rotate(apiKeyId(second), 0);
  const third = await ensureFirstKey(keys, directory);
  expect(third).not.toBe(second);
  await edits.rotate(apiKeyId(third), 3600);
  expect(await ensureFirstKey(keys, directory)).toBe(third);
});
