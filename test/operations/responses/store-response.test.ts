/** What is stored of a response for later turns, and what happens if it cannot be stored. */
import { expect, test } from 'vitest';
import type { Log } from '../../../lib/core/ports/log.ts';
import { maxConversationBytes, type StoredResponse } from '../../../lib/core/stored-response.ts';
import type { History } from '../../../lib/operations/responses/read/history.ts';
import type { ConversationItem } from '../../../lib/operations/responses/read/item.ts';
import {
  checkSize,
  conversationOf,
  storeResponse,
} from '../../../lib/operations/responses/stored/store-response.ts';

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

/** After an earlier response with these input items, and this answer. */
function after(earlier: readonly ConversationItem[], items: readonly ConversationItem[]): History {
  const input = earlier.map((item) => ({ ...item }));
  const found = { bytes: 0, shared: [], input, readResponse: unused, readPart: unused };
  return { earlier, items, previous: { found, input, output: [] } };
}

const unused = () => Promise.reject(new Error('It is read already.'));

async function store(history: History, fails: boolean) {
  const stored: unknown[] = [];
  const warned: object[] = [];
  const log: Log = {
    info: () => undefined,
    warn: (message, fields) => warned.push({ message, ...fields }),
    error: () => undefined,
  };
  const responses = {
    find: async () => undefined,
    delete: async () => false,
    async put(tenant: string, key: string, value: StoredResponse) {
      if (fails) throw new RangeError('Too large: Sunny.');
      stored.push([tenant, key, value]);
    },
  };
  const options = { id, tenant: 'acme', requestId: 'r1', conversation: conversationOf(history) };
  const isStored = await storeResponse({ responses, log }, { id }, options);
  return { isStored, stored, warned };
}

test('all input is stored with the response, earlier turns first, each item with an id', async () => {
  const history = after([user('One.', 'msg_own')], [user('Two.'), output]);
  const { isStored, stored, warned } = await store(history, false);
  expect([isStored, warned]).toEqual([true, []]);
  const ids = ['msg_own', `msg_${'a'.repeat(32)}i1`, `fco_${'a'.repeat(32)}i2`];
  const input = [...history.earlier, ...history.items].map((item, index) => ({ ...item, id: ids[index] }));
  expect(stored).toEqual([['acme', id, { response: { id }, input, shared: [] }]]);
});

test('stored items have unique ids, so that paging over them ends', async () => {
  const history = after([user('One.', 'msg_own')], [user('One.', 'msg_own'), user('Two.', '')]);
  const { stored } = await store(history, false);
  const newId = (index: number) => `msg_${'a'.repeat(32)}i${index}`;
  expect(stored).toMatchObject([
    ['acme', id, { input: [{ id: 'msg_own' }, { id: newId(1) }, { id: newId(2) }] }],
  ]);
});

test('a response that cannot be stored is logged as a warning, without its content', async () => {
  const { isStored, warned } = await store({ earlier: [], items: [output] }, true);
  expect(isStored).toBe(false);
  expect(warned).toEqual([
    { message: 'response not stored', request_id: 'r1', tenant: 'acme', reason: 'RangeError' },
  ]);
});

test('a conversation that could not be stored is refused before it is answered', () => {
  const items = [user('Two.')];
  const room = maxConversationBytes - JSON.stringify(items).length;
  const of = (bytes: number) => {
    const { previous, ...history } = after([], items);
    return {
      ...history,
      ...(previous && { previous: { ...previous, found: { ...previous.found, bytes } } }),
    };
  };
  expect(() => checkSize(of(room))).not.toThrow();
  expect(() => checkSize(of(room + 1))).toThrow(expect.objectContaining({ code: 'context_length_exceeded' }));
  expect(() => checkSize({ earlier: [], items })).not.toThrow();
});
