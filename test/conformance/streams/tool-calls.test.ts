/** Tool calls that arrive in pieces of any size. */
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  argument,
  call,
  end,
  protocolScripts,
  protocolsAndForms,
  reasoning,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();
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
    steps: [
      call(0, 'get_weather'),
      argument(0, '{"city":'),
      call(1, 'get_time'),
      argument(1, '{"ci'),
      argument(0, '"Oslo"'),
      argument(1, 'ty":"Rome"'),
      argument(0, '}'),
      argument(1, '}'),
    ],
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

test.each(protocolsAndForms)('$protocol, $form: a plain stop after calls becomes tool_calls', async (row) => {
  const steps: Step[] = [start, call(0, 'stop'), { type: 'finish', reason: 'stop' }, end];
  expect((await protocols.message(row, steps)).finish).toBe('tool_calls');
});

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
