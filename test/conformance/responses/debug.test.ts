/** The `debug` object is in the final response object, and nowhere else. */
import { expect, test } from 'vitest';
import { responseEventsOf } from '../../harness/responses/response-stream.ts';
import { useResponseWires } from '../../harness/responses/response-wires.ts';
import { hello, responseScripts, responseWiresAndForms, start, text } from '../../harness/wire-scripts.ts';

const { wires, ...responses } = useResponseWires();
const extra = { debug: ['routing', 'normalizations'] };
const reported = [{ status: 'succeeded', provider: expect.any(String), region: expect.any(String) }];

test.each(responseWiresAndForms)('$wire, $form: the response has the requested categories', async (row) => {
  const { debug } = await responses.response(row, hello, { extra });
  expect(debug).toMatchObject({ routing: reported, normalizations: [] });
  expect(debug).not.toHaveProperty('deprecations');
});

test.each(responseScripts)('$wire: once, in the last event', async (script) => {
  const answer = await responses.play(script, script.stream(hello), { extra });
  const events = responseEventsOf(await answer.text()).map((event) => JSON.stringify(event));
  expect(events.filter((event) => event.includes('"debug"'))).toEqual([events.at(-1)]);
});

test.each(responseScripts)('$wire: also if the response failed', async (script) => {
  const { response } = await responses.read(script, script.stream([start, text('Half')]), { extra });
  expect(response).toMatchObject({ status: 'failed', debug: { routing: reported } });
});

test.each(responseWiresAndForms)('$wire, $form: no debug object if none was requested', async (row) => {
  expect(await responses.response(row, hello)).not.toHaveProperty('debug');
});

test.each(responseScripts)(
  '$wire: changes name the fields of the Responses API, and are counted',
  async (script) => {
    wires.upstream.script((_request, response) => {
      const headers = { 'content-type': 'application/json' };
      response.writeHead(200, headers).end(JSON.stringify(script.body(hello)));
    });
    const answer = await responses.ask(script, { reasoning: { effort: 'max' }, stop: ['.'], extra });
    const { debug } = JSON.parse(await answer.text());
    const params = debug.normalizations.map(({ param }: { readonly param: string }) => param);
    expect(params).toEqual(changed[script.wire]);
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
  const [row] = responseWiresAndForms;
  if (!row) throw new Error('No protocol script.');
  const { id } = await responses.response(row, hello, { extra });
  const kept = await fetch(`${wires.gateway.url}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${wires.gateway.apiKey}` },
  });
  expect(await kept.json()).toMatchObject({ id, status: 'completed' });
  expect(kept.status).toBe(200);
});
