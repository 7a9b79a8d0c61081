/** Responses over every protocol: the grammar and content of streams, debug, and failures. */
import { describe, expect, test } from 'vitest';
import {
  argument,
  call,
  end,
  finish,
  hello,
  interleavedCalls,
  ping,
  protocolScripts,
  reasoning,
  responseProtocolsAndForms,
  responseScripts,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import {
  asAnswer,
  readWhole,
  seenIn,
  useResponseProtocols,
} from '../../harness/responses/response-protocols.ts';
import { readResponseStream, responseEventsOf } from '../../harness/responses/response-stream.ts';
import { answerJson } from '../../harness/upstream.ts';

const { protocols, ...responses } = useResponseProtocols();

describe('responses in every protocol: the stream follows the stream grammar (the harness checks each one), the body equals the final object of the stream, and both have the content that chat has', () => {
  const calls: Step = { ...finish, reason: 'calls' };

  const answers: readonly { readonly what: string; readonly steps: readonly Step[] }[] = [
    { what: 'text', steps: hello },
    { what: 'nothing', steps: [start, finish, end] },
    {
      what: 'empty chunks and keep-alives',
      steps: [ping, start, text(''), text('Hi'), ping, text(''), finish, end],
    },
    {
      what: 'reasoning, then text',
      steps: [start, reasoning('Think'), reasoning('ing.'), text('Hi'), finish, end],
    },
    {
      what: 'text, then calls',
      steps: [
        start,
        text('Let me see.'),
        call(0, 'get_weather'),
        argument(0, '{"city"'),
        argument(0, ':"Oslo"}'),
        call(1, 'stop'),
        calls,
        end,
      ],
    },
    {
      what: 'interleaved calls after reasoning',
      steps: [start, reasoning('Two.'), ...interleavedCalls, calls, end],
    },
    {
      what: 'an end at the token limit',
      steps: [start, text('Once'), { ...finish, reason: 'length' }, end],
    },
  ];

  describe.each(answers)('$what', ({ steps }) => {
    test.each(responseScripts)(
      '$protocol: the stream, the body and chat have the same content',
      async (script) => {
        const streamed = await responses.read(script, script.stream(steps));
        protocols.upstream.script(answerJson(script.body(steps)));
        const whole = await readWhole(await responses.ask(script));
        expect(seenIn(streamed.response)).toEqual(seenIn(whole));
        expect(streamed.response).toMatchObject({ model: script.model, object: 'response', error: null });
        // OpenAI has two protocols, of which chat uses the other one.
        const chat = protocolScripts.find(({ model }) => model === script.model) ?? script;
        for (const stream of [true, false]) {
          const row = {
            protocol: chat.protocol,
            form: stream ? 'streamed' : 'whole',
            stream,
            script: chat,
          } as const;
          const message = await protocols.message(row, steps);
          expect(asAnswer(message)).toEqual(seenIn(whole));
        }
      },
    );
  });

  test.each(responseScripts)(
    '$protocol: a body instead of a stream is returned as a stream',
    async (script) => {
      protocols.upstream.script(answerJson(script.body(hello)));
      const answer = await responses.ask(script, { stream: true });
      expect(answer.headers.get('content-type')).toBe('text/event-stream');
      const text = await answer.text();
      expect(text).not.toContain('[DONE]');
      expect(seenIn(readResponseStream(text).response).text).toBe('Hello');
    },
  );

  test.each(responseScripts)(
    '$protocol: the provider is called once, in the protocol of the script',
    async (script) => {
      await responses.read(script, script.stream(hello));
      const paths = protocols.upstream.requests.map(({ path }) => path.endsWith('/responses'));
      expect(paths).toEqual([script.protocol === 'openai']);
    },
  );
});

describe('the debug object is in the final response object, and nowhere else', () => {
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
});

describe('a provider that fails during a response: an error status before the first token, a failed response after it', () => {
  const failed = { status: 'failed', error: { code: 'server_error', message: expect.any(String) } };

  const retrieve = (id: string) =>
    fetch(`${protocols.gateway.url}/v1/responses/${id}`, {
      headers: { authorization: `Bearer ${protocols.gateway.apiKey}` },
    });

  const ends: readonly { readonly how: string; readonly tail: readonly 'cut'[] }[] = [
    { how: 'ends', tail: [] },
    { how: 'is cut', tail: ['cut'] },
  ];

  describe.each(ends)('a stream that $how', ({ tail }) => {
    test.each(responseScripts)('$protocol: before the first token is an error status', async (script) => {
      const answer = await responses.replay(script, [...script.stream([start]), ...tail]);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ error: { code: 'provider_stream_cut' } });
    });

    test.each(responseScripts)(
      '$protocol: after the first token is a failed response with the output so far',
      async (script) => {
        const steps = [start, reasoning('Hm.'), text('Hel'), text('lo')];
        const seen = await responses.read(script, [...script.stream(steps), ...tail]);
        expect(seen.error).toMatchObject({ code: 'provider_stream_cut' });
        expect(seen.response).toMatchObject(failed);
        expect(seen.response.output.at(-1)).toMatchObject({
          status: 'incomplete',
          content: [{ text: 'Hello' }],
        });
        expect(protocols.upstream.requests, 'no provider is asked again').toHaveLength(1);
      },
    );
  });

  test.each(responseScripts)(
    '$protocol: an error after the first token fails the response, which is not stored',
    async (script) => {
      const after: Step[] = [{ type: 'error' }, text('more'), finish, { type: 'end' }];
      const seen = await responses.read(script, script.stream([start, text('Half'), ...after]));
      expect(seen.response).toMatchObject(failed);
      expect(seen.response.output).toMatchObject([{ status: 'incomplete', content: [{ text: 'Half' }] }]);
      expect((await retrieve(seen.response.id)).status).toBe(404);
    },
  );

  test.each(responseScripts)('$protocol: a call that breaks off is never completed', async (script) => {
    if (!script.piecewiseArguments) return expect(script.protocol).toBe('google');
    const steps = [start, call(0, 'get_weather'), argument(0, '{"city":"Os')];
    const { response, events } = await responses.read(script, script.stream(steps));
    expect(response.output).toMatchObject([{ status: 'incomplete', arguments: '{"city":"Os' }]);
    expect(events.map(({ type }) => type)).not.toContain('response.function_call_arguments.done');
  });
});
