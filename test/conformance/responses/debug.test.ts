/** The `debug` object is in the final response object, and nowhere else. */
import { expect, test } from 'vitest';
import {
  hello,
  responseProtocolsAndForms,
  responseScripts,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { useResponseProtocols } from '../../harness/responses/response-protocols.ts';
import { responseEventsOf } from '../../harness/responses/response-stream.ts';

const { protocols, ...responses } = useResponseProtocols();
const extra = { debug: ['routing', 'normalizations'] };
const reported = [{ status: 'succeeded', provider: expect.any(String), region: expect.any(String) }];

test.each(responseProtocolsAndForms)(
  '$protocol, $form: the response has the requested categories',
  async (row) => {
    const { debug } = await responses.response(row, hello, { extra });
    expect(debug).toMatchObject({ routing: reported, normalizations: [] });
    expect(debug).not.toHaveProperty('deprecations');
  },
);

test.each(responseScripts)('$protocol: once, in the last event', async (script) => {
  const answer = await responses.replay(script, script.stream(hello), { extra });
  const events = responseEventsOf(await answer.text()).map((event) => JSON.stringify(event));
  expect(events.filter((event) => event.includes('"debug"'))).toEqual([events.at(-1)]);
});

test.each(responseScripts)('$protocol: also if the response failed', async (script) => {
  const { response } = await responses.read(script, script.stream([start, text('Half')]), { extra });
  expect(response).toMatchObject({ status: 'failed', debug: { routing: reported } });
});

test.each(responseProtocolsAndForms)(
  '$protocol, $form: no debug object if none was requested',
  async (row) => {
    expect(await responses.response(row, hello)).not.toHaveProperty('debug');
  },
);

test.each(responseScripts)(
  '$protocol: changes name the fields of the Responses API, and are counted',
  async (script) => {
    protocols.upstream.script((_request, response) => {
      const headers = { 'content-type': 'application/json' };
      response.writeHead(200, headers).end(JSON.stringify(script.body(hello)));
    });
    const answer = await responses.ask(script, { reasoning: { effort: 'max' }, stop: ['.'], extra });
    const { debug } = JSON.parse(await answer.text());
    const params = debug.normalizations.map(({ param }: { readonly param: string }) => param);
    expect(params).toEqual(changed[script.protocol]);
    expect(answer.headers.get('x-gateway-normalizations') ?? '0').toBe(`${params.length}`);
  },
);

/** What the model of each protocol does not support of an effort of `max` and a stop sequence. */
const changed: Readonly<Record<string, readonly string[]>> = {
  openai: ['reasoning.effort', 'stop'],
  deepseek: [],
  anthropic: [],
  google: ['reasoning.effort'],
  bedrock: ['reasoning.effort'],
  cohere: ['reasoning.effort'],
};

test('it is not stored with the response', async () => {
  const [row] = responseProtocolsAndForms;
  if (!row) throw new Error('No protocol script.');
  const { id } = await responses.response(row, hello, { extra });
  const kept = await fetch(`${protocols.gateway.url}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${protocols.gateway.apiKey}` },
  });
  expect(await kept.json()).toMatchObject({ id, status: 'completed' });
  expect(kept.status).toBe(200);
});
