import { expect, test } from 'vitest';
import { apiKeyId } from '../../lib/core/names/api-key.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { ensureFirstKey } from '../../local/first-key.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { use } from '../harness/use.ts';
import { useTestDatabase } from '../stores/database.ts';

const database = useTestDatabase('access');
const directory = newDirectory();

const keys = use(() => createKeyStore({ call: database.call, table: 'access' }));
const edits = use(() => createKeyEdits({ call: database.call, table: 'access' }));

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
