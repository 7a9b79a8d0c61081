/** When the sandbox calls a function: where the words or the request ask for it, and never again after the results. */
import { describe, expect, test } from 'vitest';
import type { Prompt } from '../../sandbox/exchange.ts';
import { decide } from '../../sandbox/script.ts';
import { weatherSample, weatherSchema } from './client.ts';

const prompt: Prompt = {
  provider: 'openai',
  model: 'gpt-4.1',
  lastUserText: '',
  toolResults: [],
  turns: 0,
  callRounds: 0,
  images: 0,
  files: 0,
  input: '',
  tools: [
    { name: 'get_weather', schema: weatherSchema },
    { name: 'get_time', schema: {} },
  ],
  toolChoice: 'auto',
  parallel: true,
  format: 'text',
  reasoning: false,
  search: false,
  stop: [],
};

const answer = (lastUserText: string, more: Partial<Prompt> = {}) =>
  decide({ ...prompt, lastUserText, ...more });
const called = (text: string, more: Partial<Prompt> = {}) =>
  answer(text, more).calls.map((call) => [call.name, call.arguments]);

describe('the sandbox calls', () => {
  test.each([
    ['Say hi.'],
    ['You can call get_weather in this sandbox. Call get_time first.'],
    ['The sandbox calls get_weather.'],
  ])('nothing for %j', (text) => {
    expect(called(text)).toEqual([]);
    expect(answer(text).finish).toBe('stop');
  });

  test.each([
    ['sandbox call get_weather', [['get_weather', weatherSample]]],
    ['"sandbox call get_weather {\\"city\\": \\"Oslo\\"}"', [['get_weather', { city: 'Oslo' }]]],
    ['Please, sandbox call `get_time`.', [['get_time', {}]]],
    [
      'sandbox call get_weather {"city": "Oslo {1} \\" }"} and no more }',
      [['get_weather', { city: 'Oslo {1} " }' }]],
    ],
    [
      'sandbox call get_weather {"city": "Oslo"}\nsandbox call get_time {"zone": {"hours": 1}}',
      [
        ['get_weather', { city: 'Oslo' }],
        ['get_time', { zone: { hours: 1 } }],
      ],
    ],
  ])('what %j asks for', (text, calls) => {
    expect(called(text)).toEqual(calls);
  });

  test('one function at a time where the caller wants that', () => {
    const both = 'sandbox call get_weather sandbox call get_time';
    expect(called(both, { parallel: false })).toEqual([['get_weather', weatherSample]]);
  });

  test('what `tool_choice` forces', () => {
    expect(called('Hi', { toolChoice: 'required' })).toEqual([['get_weather', weatherSample]]);
    expect(called('sandbox call get_weather', { toolChoice: { name: 'get_time' } })).toEqual([
      ['get_time', {}],
    ]);
    expect(called('sandbox call get_time {"a": 1}', { toolChoice: 'required' })).toEqual([
      ['get_time', { a: 1 }],
    ]);
    expect(called('sandbox call get_time', { toolChoice: 'none' })).toEqual([]);
  });

  test.each(['auto', { name: 'get_time' }] as const)('nothing after the results, with %j', (toolChoice) => {
    const after = { toolChoice, toolResults: ['Noon'], callRounds: 1 };
    expect(called('sandbox call get_time', after)).toEqual([]);
  });

  test('each function once where one is required all the time', () => {
    const names = [0, 1, 2].map((callRounds) =>
      called('Hi', { toolChoice: 'required', callRounds, turns: callRounds }),
    );
    expect(names.map(([call]) => call?.[0])).toEqual(['get_weather', 'get_time', undefined]);
    const [later] = called('Observation: rain', { toolChoice: 'required', turns: 1 });
    expect(later?.[0]).toBe('get_time');
  });

  test('after the results what was asked for then', () => {
    const asked = 'sandbox call get_time, then sandbox call get_weather {"city": "Oslo"}';
    const rounds = [0, 1, 2].map((callRounds) => called(asked, { callRounds }));
    expect(rounds).toEqual([[['get_time', {}]], [['get_weather', { city: 'Oslo' }]], []]);
  });

  test('nothing that it cannot, and says why', () => {
    expect(called('sandbox call bash')).toEqual([]);
    expect(answer('sandbox call bash').text).toContain(
      'There is no function "bash", but get_weather, get_time.',
    );
    expect(called('sandbox call get_time {"a": ')).toEqual([]);
    expect(answer('sandbox call get_time {"a": ').text).toContain('is not JSON');
  });
});
