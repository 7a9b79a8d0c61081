/** What the caller asked to be told of the way is told in the last object of a response, and nowhere else. */
import { expect, test } from 'vitest';
import { responseEventsOf } from '../../harness/responses/response-stream.ts';
import { useResponseWires } from '../../harness/responses/response-wires.ts';
import { hello, responseScripts, responseWiresAndForms, start, text } from '../../harness/wire-scripts.ts';

const { wires, ...responses } = useResponseWires();
const extra = { debug: ['routing', 'normalizations'] };
const told = [{ status: 'succeeded', provider: expect.any(String), region: expect.any(String) }];

test.each(responseWiresAndForms)('$wire, $form: the response tells what was asked', async (row) => {
  const { debug } = await responses.response(row, hello, { extra });
  expect(debug).toMatchObject({ routing: told, normalizations: [] });
  expect(debug).not.toHaveProperty('deprecations');
});

test.each(responseScripts)('$wire: once, in the last event', async (script) => {
  const answer = await responses.play(script, script.stream(hello), { extra });
  const events = responseEventsOf(await answer.text()).map((event) => JSON.stringify(event));
  expect(events.filter((event) => event.includes('"debug"'))).toEqual([events.at(-1)]);
});

test.each(responseScripts)('$wire: also where the response failed', async (script) => {
  const { response } = await responses.read(script, script.stream([start, text('Half')]), { extra });
  expect(response).toMatchObject({ status: 'failed', debug: { routing: told } });
});

test.each(responseWiresAndForms)('$wire, $form: nothing where nobody asked', async (row) => {
  expect(await responses.response(row, hello)).not.toHaveProperty('debug');
});

test.each(responseScripts)(
  '$wire: records name the fields of this operation, and their number is told',
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

/** What the model of each wire does not take of an effort of `max` and a stop sequence. */
const changed: Readonly<Record<string, readonly string[]>> = {
  openai: ['reasoning.effort', 'stop'],
  deepseek: [],
  anthropic: [],
  google: ['reasoning.effort'],
  bedrock: ['reasoning.effort'],
  cohere: ['reasoning.effort'],
};

test('what is kept of a response does not hold it', async () => {
  const [row] = responseWiresAndForms;
  if (!row) throw new Error('There is a wire.');
  const { id } = await responses.response(row, hello, { extra });
  const kept = await fetch(`${wires.gateway.url}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${wires.gateway.apiKey}` },
  });
  expect(await kept.json()).toMatchObject({ id, status: 'completed' });
  expect(kept.status).toBe(200);
});
