/**
 * Responses in every protocol: the stream follows the stream grammar (the harness checks each one), the body equals the final
 * object of the stream, and both have the content that chat has.
 */
import { describe, expect, test } from 'vitest';
import {
  argument,
  call,
  end,
  finish,
  hello,
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
import { readResponseStream } from '../../harness/responses/response-stream.ts';
import { answerJson } from '../../harness/upstream.ts';

const { protocols, ...responses } = useResponseProtocols();
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
    steps: [
      start,
      reasoning('Two.'),
      call(0, 'get_weather'),
      argument(0, '{"city":'),
      call(1, 'get_time'),
      argument(1, '{"ci'),
      argument(0, '"Oslo"'),
      argument(1, 'ty":"Rome"'),
      argument(0, '}'),
      argument(1, '}'),
      calls,
      end,
    ],
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

test.each(responseProtocolsAndForms)(
  '$protocol, $form: an answer at its length limit is incomplete',
  async (row) => {
    const steps: Step[] = [start, text('Once'), { ...finish, reason: 'length' }, end];
    expect(await responses.response(row, steps)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      completed_at: null,
      output: [{ type: 'message', status: 'incomplete' }],
    });
  },
);

test.each(responseProtocolsAndForms)('$protocol, $form: the full usage is returned', async (row) => {
  expect((await responses.response(row, hello)).usage).toEqual({
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 10,
  });
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

test.each(responseScripts)('$protocol: ten thousand small chunks', async (script) => {
  const pieces = Array.from({ length: 10_000 }, (_, at) => text(`${at} `));
  const began = process.cpuUsage();
  const answer = await responses.replay(script, [
    Buffer.concat(script.stream([start, ...pieces, finish, end])),
  ]);
  const reported = await answer.text();
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(10_000);
  const last = JSON.parse(reported.trimEnd().split('\ndata: ').at(-1) ?? '');
  expect(seenIn(last.response).text).toBe(pieces.map((_, at) => `${at} `).join(''));
});
