/** Chat over the Responses protocol of an upstream that answers otherwise than the sandbox. */
import { expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { answerJson } from '../../harness/upstream.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name, parameters } }));
const question = { role: 'user', content: 'Use both tools: sandbox call weather, sandbox call time' };

const { gateway, upstream } = useUpstreamGateway('OPENAI');

const answer = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    { type: 'message', id: 'msg_1', role: 'assistant', phase: 'commentary', content: [said('One.')] },
    { type: 'message', id: 'msg_2', role: 'assistant', content: [said('Two.', [{ start: 0, end: 3 }])] },
  ],
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
};

function said(text: string, cited: readonly { start: number; end: number }[] = []) {
  const annotations = cited.map(({ start, end }) => {
    return { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: start, end_index: end };
  });
  return { type: 'output_text', text, annotations };
}

const ask = (model: string, more: object) =>
  gateway.post('/v1/chat/completions', { model, messages: [question], tools, ...more });

test('an upstream that writes several messages: they are one, and citations point into it', async () => {
  upstream.script(answerJson(answer));
  const { choices } = JSON.parse(await (await ask('openai/gpt-5.5', {})).text());
  const { content, annotations } = choices[0].message;
  expect(content).toBe('One.\n\nTwo.');
  const { start_index: start, end_index: end } = annotations[0].url_citation;
  expect(content.slice(start, end)).toBe('Two');
});

test('a JSON answer after a commentary is JSON, and the commentary is reasoning', async () => {
  const [commentary, last] = answer.output;
  const output = [commentary, { ...last, content: [said('{"a":1}')] }];
  upstream.script(answerJson({ ...answer, output }));
  const response_format = { type: 'json_object' };
  const { choices } = JSON.parse(await (await ask('openai/gpt-5.5', { response_format })).text());
  expect(choices[0].message).toMatchObject({ content: '{"a":1}', reasoning_content: 'One.' });
});

const thought = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: id });
const search = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query: 'q' },
};
const calling = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'time', arguments: '{}' };
const message = (id: string) => ({ type: 'message', id, role: 'assistant', content: [said(id)] });

/** What an upstream sees of its answer in the next turn, where searches are left out and all texts are one. */
test.each<[string, readonly object[], readonly string[]]>([
  [
    'searches and an answer',
    [thought('rs_1'), search, thought('rs_2'), message('A')],
    ['rs_1', 'rs_2', 'message'],
  ],
  [
    'a search and a call',
    [thought('rs_1'), search, thought('rs_2'), calling],
    ['rs_1', 'rs_2', 'function_call'],
  ],
  ['two texts', [thought('rs_1'), message('A'), thought('rs_2'), message('B')], ['rs_1', 'message']],
])('an upstream gets its reasoning back only before what it led to: %s', async (_, output, expected) => {
  upstream.script(answerJson({ ...answer, output }));
  const first = JSON.parse(await (await ask('openai/gpt-5.5', { web_search_options: {} })).text());
  const next = first.choices[0].message;
  const results = next.tool_calls ? [{ role: 'tool', tool_call_id: 'call_1', content: 'Noon.' }] : [question];
  await ask('openai/gpt-5.5', { messages: [question, next, ...results], web_search_options: {} });
  const { input } = Object(upstream.requests.at(-1)?.body);
  const between: readonly { readonly type: string; readonly id?: string }[] = input.slice(1, -1);
  expect(between.map(({ type, id = type }) => id)).toEqual(expected);
});

test('an upstream that is asked again costs twice as much, its searches included', async () => {
  upstream.script(answerJson({ ...answer, output: [search, message('No JSON.')] }));
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const costOf = async (repair: boolean) => {
    const response = await ask('openai/gpt-5.5', {
      web_search_options: {},
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
      usage: { include: true },
      extra: { repair },
    });
    return JSON.parse(await response.text()).usage.cost;
  };
  const once = await costOf(false);
  expect(once).toBeGreaterThan(0);
  expect(await costOf(true)).toBe(2 * once);
});
