/** A provider's own Responses protocol from both ends of the gateway: what it gets, and what the caller gets. */
import { describe, expect, test } from 'vitest';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { answerJson } from '../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('OPENAI');

const model = 'openai/gpt-5.5';

const reasoning = {
  type: 'reasoning',
  id: 'rs_upstream',
  summary: [{ type: 'summary_text', text: 'So.' }],
  encrypted_content: 'gAAAAAB+/=-_sealed by the provider',
};
const call = {
  type: 'function_call',
  id: 'fc_upstream',
  call_id: 'call_1',
  name: 'now',
  arguments: '{}',
  status: 'completed',
};
const said = {
  type: 'message',
  id: 'msg_upstream',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Noon.', annotations: [] }],
};
const answer = (...output: readonly object[]) => ({
  id: 'resp_upstream',
  object: 'response',
  status: 'completed',
  output,
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
});

const tools = [{ type: 'function', name: 'now', parameters: { type: 'object', properties: {} } }];

interface ResponseBody {
  readonly id: string;
  readonly output: readonly object[];
  readonly debug: { readonly normalizations: readonly object[] };
  readonly error: { readonly param: string; readonly code: string };
}

async function ask(body: object) {
  const extra = { debug: ['normalizations'] };
  const response = await gateway.post('/v1/responses', { model, tools, extra, ...body });
  const parsed: ResponseBody = JSON.parse(await response.text());
  return { status: response.status, body: parsed };
}

const inputOf = (at: number) => upstream.requests[at]?.body.input as readonly object[];

describe('a second turn', () => {
  const result = (call_id: string) => ({ type: 'function_call_output', call_id, output: '12:00' });
  const sent = [
    { type: 'message', role: 'user', content: 'What time is it?' },
    reasoning,
    { type: 'function_call', call_id: 'call_1', name: 'now', arguments: '{}' },
    result('call_1'),
  ];

  test.each([
    ['that the gateway kept', true],
    ['that the caller sends back', false],
  ])('has the reasoning of the first, %s, as the provider made it', async (_, store) => {
    upstream.script(answerJson(answer(reasoning, call)));
    const question = { role: 'user', content: 'What time is it?' };
    const include = ['reasoning.encrypted_content'];
    const first = await ask({ input: [question], store, include });
    expect(first.status).toBe(200);
    expect(upstream.requests[0]).toMatchObject({ path: '/responses', body: { store: false, include } });

    upstream.script(answerJson(answer(said)));
    const second = store
      ? await ask({ previous_response_id: first.body.id, input: [result('call_1')] })
      : await ask({ input: [question, ...first.body.output, result('call_1')], store });
    expect(second.body.debug.normalizations).toEqual([]);
    expect(inputOf(0)).toEqual(sent);
    expect(upstream.requests[0]?.body).not.toHaveProperty('previous_response_id');
  });

  test.each([
    ['a call without a result', [said, reasoning, call]],
    ['nothing, because its tokens were used up', [said, reasoning]],
  ])('does not get reasoning that led to %s, which is reported', async (_, output) => {
    upstream.script(answerJson(answer(...output)));
    const first = await ask({ input: 'What time is it?' });
    upstream.script(answerJson(answer(said)));
    const { status, body } = await ask({ previous_response_id: first.body.id, input: 'Never mind.' });
    expect(status).toBe(200);
    expect(inputOf(0)).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }]);
    expect(body.debug.normalizations).toContainEqual(
      expect.objectContaining({
        param: 'previous_response_id',
        action: 'strip',
        reason: 'Reasoning can be returned only together with the output that followed it.',
      }),
    );
  });

  test('is asked once more without reasoning that the provider cannot read', async () => {
    upstream.script(answerJson(answer(reasoning, call)));
    const first = await ask({ input: 'What time is it?' });
    const refusal = {
      message: 'The encrypted content gAAA...==  could not be verified.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_encrypted_content',
    };
    upstream.script((request, response) =>
      JSON.stringify(request.body).includes('sealed by')
        ? answerJson({ error: refusal }, 400)(request, response)
        : answerJson(answer(said))(request, response),
    );
    const { status, body } = await ask({ previous_response_id: first.body.id, input: [result('call_1')] });
    expect(status).toBe(200);
    expect(upstream.requests).toHaveLength(2);
    expect(inputOf(1)).toEqual(sent.filter((item) => item !== reasoning));
    expect(body.debug.normalizations).toMatchObject([{ action: 'strip', after: null }]);
  });
});

describe('a refusal', () => {
  const refuse = (param: string, code: string, message: string) => ({
    error: { message, type: 'invalid_request_error', param, code },
  });

  test('of summaries, for an organisation that is not verified, costs the summary and not the answer', async () => {
    const message = 'Your organization must be verified to generate reasoning summaries.';
    upstream.script((request, response) =>
      JSON.stringify(request.body.reasoning ?? {}).includes('summary')
        ? answerJson(refuse('reasoning.summary', 'unsupported_value', message), 400)(request, response)
        : answerJson(answer(said))(request, response),
    );
    const { status, body } = await ask({ input: 'Hi', reasoning: { effort: 'low', summary: 'auto' } });
    expect(status).toBe(200);
    expect(upstream.requests[1]?.body.reasoning).toEqual({ effort: 'low' });
    expect(body.debug.normalizations).toMatchObject([
      { param: 'reasoning.summary', action: 'strip', before: 'auto' },
    ]);
  });

  test.each([
    ['text.format.schema', 'text.format.schema'],
    ['tools[0].parameters', 'tools.0.parameters'],
  ])('of %s names the field of the caller', async (param, callerParam) => {
    upstream.script(answerJson(refuse(param, 'invalid_json_schema', 'No.'), 400));
    const format = { type: 'json_schema', name: 'x', schema: { type: 'object' } };
    const { status, body } = await ask({ input: 'Hi', text: { format } });
    expect([status, body.error.param, body.error.code]).toEqual([400, callerParam, 'invalid_json_schema']);
    expect(upstream.requests).toHaveLength(1);
  });
});
