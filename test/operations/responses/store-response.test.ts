/** What is kept of a response for later turns, and what becomes of one that cannot be kept. */
import { expect, test } from 'vitest';
import type { Log } from '../../../lib/core/ports.ts';
import type { StoredResponse } from '../../../lib/core/stored-response.ts';
import type { History } from '../../../lib/operations/responses/read/history.ts';
import type { ConversationItem } from '../../../lib/operations/responses/read/item.ts';
import { keepResponse } from '../../../lib/operations/responses/stored/store-response.ts';

const id = `resp_${'a'.repeat(32)}`;
const user = (text: string, itemId?: string): ConversationItem => ({
  ...(itemId !== undefined && { id: itemId }),
  type: 'message',
  role: 'user',
  status: 'completed',
  content: [{ type: 'input_text', text }],
});
const output: ConversationItem = {
  type: 'function_call_output',
  status: 'completed',
  call_id: 'call_0',
  output: 'Sunny.',
};

async function keep(history: History, refuses: boolean) {
  const kept: unknown[] = [];
  const warned: object[] = [];
  const log: Log = {
    info: () => undefined,
    warn: (message, fields) => warned.push({ message, ...fields }),
    error: () => undefined,
  };
  const responses = {
    find: async () => undefined,
    forget: async () => false,
    async keep(tenant: string, key: string, value: StoredResponse) {
      if (refuses) throw new RangeError('Too large: Sunny.');
      kept.push([tenant, key, value]);
    },
  };
  const options = { id, tenant: 'acme', requestId: 'r1', history };
  const isKept = await keepResponse({ responses, log }, { id }, options);
  return { isKept, kept, warned };
}

test('all input is kept with it, earlier turns first, each item with an id', async () => {
  const history = { earlier: [user('One.', 'msg_own')], items: [user('Two.'), output] };
  const { isKept, kept, warned } = await keep(history, false);
  expect([isKept, warned]).toEqual([true, []]);
  const ids = ['msg_own', `msg_${'a'.repeat(32)}i1`, `fco_${'a'.repeat(32)}i2`];
  const input = [...history.earlier, ...history.items].map((item, place) => ({ ...item, id: ids[place] }));
  expect(kept).toEqual([['acme', id, { response: { id }, input }]]);
});

test('an id names one item only, so that pages of them come to an end', async () => {
  const history = { earlier: [user('One.', 'msg_own')], items: [user('One.', 'msg_own'), user('Two.', '')] };
  const { kept } = await keep(history, false);
  const place = (index: number) => `msg_${'a'.repeat(32)}i${index}`;
  expect(kept).toMatchObject([
    ['acme', id, { input: [{ id: 'msg_own' }, { id: place(1) }, { id: place(2) }] }],
  ]);
});

test('one that cannot be kept costs a warning that tells nothing of it', async () => {
  const { isKept, warned } = await keep({ earlier: [], items: [output] }, true);
  expect(isKept).toBe(false);
  expect(warned).toEqual([
    { message: 'response not kept', request_id: 'r1', tenant: 'acme', reason: 'RangeError' },
  ]);
});
