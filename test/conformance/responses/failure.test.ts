/** A provider that fails during a response: an error status before the first token, a failed response after it. */
import { describe, expect, test } from 'vitest';
import {
  argument,
  call,
  finish,
  hello,
  reasoning,
  responseProtocolsAndForms,
  responseScripts,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { useResponseProtocols } from '../../harness/responses/response-protocols.ts';
import { answerJson } from '../../harness/upstream.ts';

const { protocols, ...responses } = useResponseProtocols();

const plainError = { message: expect.any(String), type: 'api_error', param: null, code: expect.any(String) };
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
  '$protocol: wherever it breaks off, items marked as completed are complete',
  async (script) => {
    const frames = script.stream(hello);
    const first = frames.findIndex((frame) => Buffer.from(frame).includes('Hel"'));
    expect(first).toBeGreaterThanOrEqual(0);
    for (let count = first + 1; count <= frames.length; count++) {
      const { response } = await responses.read(script, frames.slice(0, count));
      const { status } = response;
      if (status !== 'completed') expect(status).toBe('failed');
      else expect(response.output).toMatchObject([{ status, content: [{ text: 'Hello' }] }]);
    }
  },
);

test.each(responseScripts)(
  '$protocol: an answer without its end mark is complete or failed',
  async (script) => {
    const { response } = await responses.read(script, script.stream([start, text('Hello'), finish]));
    expect(response.status).toBe(script.endsWithFinish ? 'completed' : 'failed');
  },
);

test.each(responseScripts)(
  '$protocol: an error before the first token is an error status',
  async (script) => {
    const answer = await responses.replay(script, script.stream([start, { type: 'error' }]));
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ error: plainError });
  },
);

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

test.each(responseProtocolsAndForms)(
  '$protocol, $form: an error instead of a body',
  async ({ script, stream }) => {
    protocols.upstream.script(answerJson(script.errorBody));
    const answer = await responses.ask(script, { stream });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: plainError });
  },
);
