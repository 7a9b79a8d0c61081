/** Deleting a response in the background at the moment in which it is stored. */
import { expect, test } from 'vitest';
import type { Run } from '../../../lib/core/background.ts';
import { deleteResponseEndpoint } from '../../../lib/operations/responses/stored/delete.ts';

const part = { owner: 'resp_1', name: 'a', key: '', pieces: 1, bytes: 1, expiresAt: 0 };

const run: Run = {
  ...{ tenant: 'acme', id: 'resp_1', status: 'done', keyHash: 'a-hash', headers: {}, streamed: false },
  ...{ aliveAt: 0, starts: 1, request: part, begun: part, logKey: '', expiresAt: 0 },
};

/** The answer, and how often a deletion of the stored response was tried; it is there from the try with this number on. */
async function deleted(removed: Run | undefined, thereAt: number) {
  let tries = 0;
  const { answer } = deleteResponseEndpoint({
    responses: {
      delete: async () => {
        tries += 1;
        return tries >= thereAt;
      },
    },
    background: { runs: { remove: async () => removed } },
  });
  const call = { ...{ input: { response_id: 'resp_1' }, requestId: 'one', facts: { attempts: [] } } };
  const { signal } = new AbortController();
  const meter = { admit: async () => undefined, begin: () => {}, remainingMs: () => 1_000 };
  const key = { id: 'key_1', hash: 'a-hash', tenant: 'acme' };
  const answered = await answer({ ...call, ...meter, key, signal });
  return { answered, tries };
}

test('what its worker stores a moment after the deletion is deleted as well', async () => {
  const { answered, tries } = await deleted(run, 3);
  expect(answered).toMatchObject({ body: { id: 'resp_1', deleted: true } });
  expect(tries).toBe(3);
});

test('a response that has not ended is not waited for', async () => {
  expect((await deleted({ ...run, status: 'in_progress' }, 3)).tries).toBe(1);
  await expect(deleted(undefined, 3)).rejects.toMatchObject({ kind: 'not_found' });
});
