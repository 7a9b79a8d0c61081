/** The functions that a server has: one for each operation. */
import { expect, test } from 'vitest';
import { adminOperations } from '../../lib/core/admin/admin-operations.ts';
import { operationNamed, operations } from '../../lib/core/operations.ts';
import { tables } from '../../lib/core/tables.ts';
import { functionsOf } from '../../server/functions.ts';

const tableNames = Object.values(tables).map(({ environmentVariable }) => [environmentVariable, 'table']);
const load = functionsOf({ AWS_REGION: 'us-east-1', ...Object.fromEntries(tableNames) });

test('each operation has its own', async () => {
  const all = [...operations, ...adminOperations];
  const loaded = await Promise.all(all.map(load));
  expect(loaded.every((handler) => typeof handler === 'function')).toBe(true);
  expect(new Set(loaded).size).toBe(all.length);
});

test('no other name has one', async () => {
  const unknown = { ...operationNamed('models'), name: 'toString' } as unknown as Parameters<typeof load>[0];
  await expect(load(unknown)).rejects.toThrow('names no operation');
});
