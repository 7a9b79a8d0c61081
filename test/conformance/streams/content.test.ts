/** What a stream has, in every protocol: texts, reasoning, calls, usage and debug, however it arrives. */
import { describe, expect, test } from 'vitest';
import { dataOf, readChatStream } from '../../harness/chat-stream.ts';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  argument,
  call,
  counts,
  end,
  finish,
  hello,
  interleavedCalls,
  ping,
  protocolScripts,
  protocolsAndForms,
  publicCounts,
  reasoning,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();

describe('unusual but valid streams give the same answer', () => {
  const answer = { content: 'Hello', finish: 'stop' };

  const odd: readonly { what: string; steps: readonly Step[] }[] = [
    {
      what: 'empty chunks',
      steps: [start, text(''), text('Hel'), text(''), reasoning(''), text('lo'), text(''), finish, end],
    },
    {
      what: 'keep-alives',
      steps: [ping, start, ping, text('Hel'), ping, ping, text('lo'), ping, finish, ping, end, ping],
    },
    { what: 'a repeated finish', steps: [start, text('Hello'), finish, finish, end] },
    { what: 'two end marks', steps: [...hello, end] },
  ];

  describe.each(odd)('$what', ({ steps }) => {
    test.each(protocolScripts)('$protocol', async (script) => {
      const seen = await protocols.read(script, script.stream(steps), {
        stream_options: { include_usage: true },
      });
      expect(seen.error).toBeUndefined();
      expect(seen.choices.get(0)).toMatchObject(answer);
      expect(seen.usage).toMatchObject({ total_tokens: 10 });
    });
  });

  test.each(protocolsAndForms)('$protocol, $form: an answer without content is empty', async (row) => {
    const message = await protocols.message(row, [start, finish, end]);
    expect(message).toMatchObject({ content: '', finish: 'stop', calls: [] });
  });

  test.each(protocolsAndForms)('$protocol, $form: an answer at its length limit says so', async (row) => {
    const steps: Step[] = [start, text('Once'), { type: 'finish', reason: 'length' }, end];
    expect(await protocols.message(row, steps)).toMatchObject({ content: 'Once', finish: 'length' });
  });

  test.each(protocolsAndForms)('$protocol, $form: reasoning is separate from the answer', async (row) => {
    const steps = [start, reasoning('Think'), reasoning('ing.'), text('Hel'), text('lo'), finish, end];
    expect(await protocols.message(row, steps)).toMatchObject({ ...answer, reasoning: 'Thinking.' });
  });

  test.each(protocolScripts)('$protocol: events after the end mark are ignored', async (script) => {
    const seen = await protocols.read(script, script.stream([...hello, text('more'), finish, end]));
    expect(seen.error).toBeUndefined();
    expect(seen.choices.get(0)?.finish).toBe('stop');
    expect(seen.choices.size).toBe(1);
  });

  test.each(protocolScripts)(
    '$protocol: a body instead of a stream is returned as a stream',
    async (script) => {
      protocols.upstream.script((_request, response) => {
        const body = JSON.stringify(script.body(hello));
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      const response = await protocols.ask(script, { stream: true });
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      expect(readChatStream(await response.text()).choices.get(0)).toMatchObject(answer);
    },
  );
});

describe('tool calls that arrive in pieces of any size', () => {
  const finish: Step = { type: 'finish', reason: 'calls' };
  const oslo = { name: 'get_weather', arguments: { city: 'Oslo' } };
  const rome = { name: 'get_time', arguments: { city: 'Rome' } };

  interface Case {
    readonly what: string;
    readonly steps: readonly Step[];
    readonly seen: {
      readonly content?: string;
      readonly reasoning?: string;
      readonly calls: readonly object[];
    };
  }

  const cases: readonly Case[] = [
    {
      what: 'one call in pieces',
      steps: [call(0, 'get_weather'), argument(0, '{"city"'), argument(0, ':"Os'), argument(0, 'lo"}')],
      seen: { calls: [oslo] },
    },
    {
      what: 'text before consecutive calls',
      steps: [
        text('Let me see.'),
        call(0, 'get_weather'),
        argument(0, '{"city":"Oslo"}'),
        call(1, 'get_time'),
        argument(1, '{"city":"Rome"}'),
      ],
      seen: { content: 'Let me see.', calls: [oslo, rome] },
    },
    {
      what: 'interleaved calls',
      steps: [...interleavedCalls],
      seen: { calls: [oslo, rome] },
    },
    {
      what: 'calls without arguments and one with',
      steps: [call(0, 'stop'), call(1, 'get_weather'), argument(1, '{"city":"Oslo"}'), call(2, 'stop')],
      seen: { calls: [{ name: 'stop', arguments: {} }, oslo, { name: 'stop', arguments: {} }] },
    },
    {
      what: 'the same tool twice, after reasoning',
      steps: [
        reasoning('Twice.'),
        call(0, 'get_weather'),
        argument(0, '{"city":"Oslo"}'),
        call(1, 'get_weather'),
        argument(1, '{"city":"Oslo"}'),
      ],
      seen: { reasoning: 'Twice.', calls: [oslo, oslo] },
    },
  ];

  describe.each(cases)('$what', ({ steps, seen }) => {
    test.each(protocolsAndForms)('$protocol, $form', async (row) => {
      const message = await protocols.message(row, [start, ...steps, finish, end]);
      expect(message).toMatchObject({ content: '', reasoning: '', finish: 'tool_calls', ...seen });
      expect(message.calls).toHaveLength(seen.calls.length);
    });
  });

  test.each(protocolsAndForms)(
    '$protocol, $form: a plain stop after calls becomes tool_calls',
    async (row) => {
      const steps: Step[] = [start, call(0, 'stop'), { type: 'finish', reason: 'stop' }, end];
      expect((await protocols.message(row, steps)).finish).toBe('tool_calls');
    },
  );

  test.each(protocolsAndForms)(
    '$protocol, $form: announced calls that never arrive are a stop',
    async (row) => {
      expect((await protocols.message(row, [start, text('No.'), finish, end])).finish).toBe('stop');
    },
  );

  test.each(protocolScripts)(
    '$protocol: a call that breaks off is not returned as complete',
    async (script) => {
      const steps = [start, call(0, 'get_weather'), argument(0, '{"city":"Os')];
      if (!script.piecewiseArguments) return expect(script.protocol).toBe('google');
      const seen = await protocols.read(script, script.stream(steps));
      expect(seen.error?.code).toBe('provider_stream_cut');
      expect(seen.choices.get(0)?.calls).toMatchObject([{ name: 'get_weather', arguments: '{"city":"Os' }]);
    },
  );
});

describe('the usage of a stream is sent once, at the end, and only on request', () => {
  const asked = { stream_options: { include_usage: true } };

  const countedAt: readonly { position: string; steps: readonly Step[] }[] = [
    {
      position: 'the start',
      steps: [{ type: 'start', usage: counts }, text('Hi'), { type: 'finish', reason: 'stop' }, end],
    },
    { position: 'the end', steps: [start, text('Hi'), finish, end] },
    {
      position: 'both ends, growing',
      steps: [{ type: 'start', usage: { input: 7, output: 1 } }, text('Hi'), finish, end],
    },
  ];

  const rows = protocolScripts.flatMap((script) =>
    countedAt.map((at) => ({ ...at, protocol: script.protocol, script })),
  );

  test.each(rows)(
    '$protocol reports usage at $position: one usage chunk, last',
    async ({ script, steps }) => {
      const seen = await protocols.read(script, script.stream(steps), asked);
      expect(seen.usage).toMatchObject(publicCounts);
      expect(seen.chunks.filter(({ usage }) => usage)).toHaveLength(1);
      expect(seen.chunks.at(-1)?.choices).toEqual([]);
    },
  );

  test.each(rows)(
    '$protocol reports usage at $position: none if not requested',
    async ({ script, steps }) => {
      const seen = await protocols.read(script, script.stream(steps));
      expect(seen.chunks.every((chunk) => !('usage' in chunk) && chunk.choices.length === 1)).toBe(true);
      expect(seen.choices.get(0)?.finish).toBe('stop');
    },
  );

  test.each(protocolScripts)('$protocol reports no usage: the answer is still complete', async (script) => {
    const steps = [start, text('Hi'), { type: 'finish', reason: 'stop' }, end] as const;
    const seen = await protocols.read(script, script.stream(steps), asked);
    expect(seen.choices.get(0)).toMatchObject({ content: 'Hi', finish: 'stop' });
    expect(seen.chunks.at(-1)).toMatchObject({ choices: [], usage: null });
  });

  test.each(protocolsAndForms)('$protocol, $form: the same usage', async (row) => {
    const { usage } = await protocols.message(row, [start, text('Hi'), finish, end]);
    expect(usage).toEqual({
      ...publicCounts,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });
});

describe('the debug object of a stream is sent once, on the last chunk with content', () => {
  const extra = { debug: ['routing'] };
  const routing = [{ status: 'succeeded', provider: expect.any(String), region: expect.any(String) }];

  const answers: readonly { what: string; steps: readonly Step[] }[] = [
    { what: 'text', steps: hello },
    { what: 'calls', steps: [start, call(0, 'stop'), { ...finish, reason: 'calls' }, end] },
    { what: 'no usage', steps: [start, text('Hi'), { type: 'finish', reason: 'stop' }, end] },
    { what: 'nothing', steps: [start, finish, end] },
  ];

  describe.each(answers)('an answer of $what', ({ steps }) => {
    test.each(protocolScripts)('$protocol: on the usage chunk if usage was requested', async (script) => {
      const asked = { extra, stream_options: { include_usage: true } };
      const { chunks } = await protocols.read(script, script.stream(steps), asked);
      expect(chunks.filter(({ debug }) => debug)).toHaveLength(1);
      expect(chunks.at(-1)).toMatchObject({ choices: [], debug: { routing } });
    });

    test.each(protocolScripts)('$protocol: else on the chunk with the finish reason', async (script) => {
      const { chunks } = await protocols.read(script, script.stream(steps), { extra });
      expect(chunks.filter(({ debug }) => debug)).toHaveLength(1);
      expect(chunks.at(-1)?.debug).toMatchObject({ routing });
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toEqual(expect.any(String));
    });

    test.each(protocolScripts)('$protocol: nowhere if it was not requested', async (script) => {
      const text = await (await protocols.replay(script, script.stream(steps))).text();
      expect(dataOf(text).some((data) => data.includes('"debug"'))).toBe(false);
    });
  });
});
