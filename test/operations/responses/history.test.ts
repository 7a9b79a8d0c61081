/** References to earlier responses and items: found among the tenant's stored responses, or rejected. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { JsonObject, ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { findHistory } from '../../../lib/operations/responses/read/history.ts';
import { readConversation } from '../../../lib/operations/responses/read/read-items.ts';
import { encodeReasoning } from '../../../lib/operations/responses/write/encrypted-content.ts';
import { itemId } from '../../../lib/operations/responses/write/ids.ts';
import { createResponseStore } from '../../../lib/stores/responses/responses.ts';
import { brokenDatabase, useTestDatabase } from '../../stores/database.ts';
import { read } from './reading.ts';

const tenant = 'acme';
const signed: ReasoningDetail = {
  type: 'reasoning.text',
  text: 'Hm.',
  signature: 'sig==',
  format: 'anthropic-claude-v1',
  index: 0,
};

const database = useTestDatabase('state');

const openStore = (call = database.call) => createResponseStore({ call, table: 'state', now: () => 0 });

const newId = () => `resp_${randomUUID().replaceAll('-', '')}`;

const find = (body: object, as = tenant) => findHistory(openStore(), as, read(body));

const refusal = (finding: Promise<unknown>) =>
  finding.then(
    () => undefined,
    (error) => (error instanceof GatewayError ? { status: error.status, ...error.toBody().error } : error),
  );

/** A stored response with a question, reasoning, an answer and a call. */
async function keep(id = newId(), before: readonly JsonObject[] = []) {
  const question = {
    type: 'message',
    id: itemId(id, 'message', 'input', before.length),
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_text', text: 'Why?' }],
  };
  const output = [
    {
      type: 'reasoning',
      id: itemId(id, 'reasoning', 'output', 0),
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: encodeReasoning([signed]),
    },
    {
      type: 'message',
      id: itemId(id, 'message', 'output', 1),
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Because.', annotations: [], logprobs: [] }],
    },
    {
      type: 'function_call',
      id: itemId(id, 'function_call', 'output', 2),
      status: 'completed',
      call_id: 'call_1',
      name: 'f',
      arguments: '{}',
    },
  ];
  const input = [...before, question];
  await openStore().put(tenant, id, { response: { id, object: 'response', output }, input });
  return { id, question, output, all: [...input, ...output] };
}

describe('an earlier response', () => {
  test('is the conversation so far, and the request continues it', async () => {
    const { id } = await keep();
    const body = {
      previous_response_id: id,
      instructions: 'Be brief.',
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'ok' }],
    };
    const history = await find(body);
    const messages = readConversation(read(body), history);
    expect(messages).toMatchObject([
      { role: 'system' },
      { role: 'user' },
      {
        role: 'assistant',
        reasoningDetails: [{ ...signed, position: 0 }],
        toolCalls: [{ id: 'call_1', position: 2 }],
      },
      { role: 'tool' },
    ]);
  });

  test('is restored exactly, including ids', async () => {
    const { id, all } = await keep();
    const { earlier, items } = await find({ previous_response_id: id });
    expect(earlier).toMatchObject(all);
    expect(items).toMatchObject([{ role: 'user', content: [{ text: 'Hi.' }] }]);
  });

  test('that is unknown, malformed or of another tenant causes the same 400', async () => {
    const { id } = await keep();
    const expected = {
      status: 400,
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    };
    for (const [wanted, tenant] of [[newId()], ['resp_/../x'], [id, 'other']] as const) {
      const message = `Previous response with id '${wanted}' not found (expired, deleted, or created with store: false).`;
      const answer = await refusal(find({ previous_response_id: wanted }, tenant));
      expect(answer).toEqual({ ...expected, message });
    }
  });
});

describe('an item reference', () => {
  test('is replaced by the item', async () => {
    const { question, output } = await keep();
    const input = [
      { type: 'item_reference', id: question.id },
      ...output.map(({ id }) => ({ id })),
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ];
    const { items, earlier } = await find({ input });
    expect(earlier).toEqual([]);
    expect(items).toMatchObject([question, ...output, { type: 'function_call_output' }]);
  });

  test('to reasoning without encrypted content restores that content', async () => {
    const [thought] = (await keep()).output;
    const { items } = await find({
      input: [
        { type: 'reasoning', id: thought?.id, summary: [] },
        { type: 'reasoning', id: thought?.id, summary: thought?.summary },
      ],
    });
    expect(items).toMatchObject([thought, thought]);
  });

  test('to a readable item that is not stored leaves it unchanged', async () => {
    const summary = [{ type: 'summary_text', text: 'Hm.' }];
    const own = itemId(newId(), 'reasoning', 'output', 0);
    const input = [own, 'rs_68af'].map((id) => ({ type: 'reasoning', id, summary }));
    expect((await find({ input })).items).toMatchObject(input);
  });

  test.each([
    [
      'of a response that is not stored',
      { type: 'item_reference', id: itemId(newId(), 'message', 'output', 0) },
    ],
    ['that the gateway did not make', { type: 'item_reference', id: 'msg_68af' }],
    ['of reasoning that says nothing', { type: 'reasoning', id: 'rs_68af', summary: [] }],
  ])('%s is a 400 that names the reference', async (_, item) => {
    expect(await refusal(find({ input: [{ role: 'user', content: 'Hi.' }, item] }))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param: 'input.1.id',
      code: 'item_not_found',
    });
  });

  test('of another tenant is not found', async () => {
    const { question } = await keep();
    const finding = find({ input: [{ type: 'item_reference', id: question.id }] }, 'other');
    expect(await refusal(finding)).toMatchObject({ param: 'input.0.id', code: 'item_not_found' });
  });
});

describe('looking up', () => {
  const counted = () => {
    const ids: string[] = [];
    const store = openStore();
    const counting = {
      ...store,
      find: (as: string, id: string) => {
        ids.push(id);
        return store.find(as, id);
      },
    };
    return { ids, counting };
  };

  test('reads each response once, and no older responses of the same conversation', async () => {
    const first = await keep();
    const second = await keep(newId(), first.all);
    const other = await keep();
    const input = [...first.output, ...second.output, ...other.output, ...second.output].map(({ id }) => ({
      id,
    }));
    const { ids, counting } = counted();
    const { items } = await findHistory(counting, tenant, read({ input, previous_response_id: second.id }));
    expect(items).toHaveLength(input.length);
    expect(ids.toSorted()).toEqual([second.id, other.id].toSorted());
  });

  test('reads at most the hundred latest responses', async () => {
    const { ids, counting } = counted();
    const { id, output } = await keep();
    const summary = [{ type: 'summary_text', text: 'Hm.' }];
    const said = Array.from({ length: 500 }, () => {
      return { type: 'reasoning', id: itemId(newId(), 'reasoning', 'output', 0), summary };
    });
    const input = [...said, { id: output[0]?.id }];
    const { items } = await findHistory(counting, tenant, read({ input }));
    expect(items).toMatchObject([...said, output[0]]);
    expect(ids).toHaveLength(100);
    expect(ids).toContain(id);
  });

  test('does not call the store for a request without references', async () => {
    const before = database.actions.length;
    await find({ input: 'Hi.' });
    expect(database.actions).toHaveLength(before);
  });

  test('reports a store failure as such, and needs no store for readable items', async () => {
    const store = openStore(brokenDatabase);
    const id = itemId(newId(), 'reasoning', 'output', 0);
    const readable = { type: 'reasoning', id, summary: [{ type: 'summary_text', text: 'Hm.' }] };
    expect((await findHistory(store, tenant, read({ input: [readable] }))).items).toMatchObject([readable]);
    for (const body of [{ input: [{ id }] }, { previous_response_id: newId() }]) {
      const failed = await refusal(findHistory(store, tenant, read(body)));
      expect(failed).not.toMatchObject({ status: 400 });
      expect(failed).toBeDefined();
    }
  });
});
