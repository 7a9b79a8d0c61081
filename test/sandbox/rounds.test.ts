/**
 * A task of several steps, as an agent's conversation has it: reminders beside the user's words, instructions in between, texts
 * and images after the results of tools.
 */
import { describe, expect, test } from 'vitest';
import { readMessages } from '../../sandbox/anthropic/read.ts';
import { decideCalls } from '../../sandbox/calls.ts';
import type { Prompt } from '../../sandbox/exchange.ts';
import { readContents } from '../../sandbox/google/read.ts';
import { readChat } from '../../sandbox/openai/read.ts';
import { readResponses } from '../../sandbox/openai-responses/read.ts';
import { decide } from '../../sandbox/script.ts';

const reminder = '<system-reminder>\nToday is a day.\n</system-reminder>';
const task = 'sandbox call Read {"path": "a"} then sandbox call Edit {"path": "a"}';
const schema = { type: 'object', properties: {} };
const names = ['Read', 'Edit'];

/** `steps`: how many calls were made; `after`: what the agent adds to their last results. */
type Make = (steps: number, after?: string) => Prompt;

const loop = <Step>(steps: number, step: (id: string, name: string) => readonly Step[]): readonly Step[] =>
  Array.from({ length: steps }, (_, index) => step(`call_${index}`, names[index] ?? '')).flat();

const anthropic: Make = (steps, after) => {
  const texts = (...list: string[]) => list.map((text) => ({ type: 'text', text }));
  const messages: object[] = [
    { role: 'user', content: texts(reminder, task) },
    { role: 'system', content: 'Be brief.' },
    ...loop<object>(steps, (id, name) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Done' }] },
    ]),
  ];
  if (after !== undefined) messages.push({ role: 'system', content: after });
  const tools = names.map((name) => ({ name, input_schema: schema }));
  return readMessages({ model: 'm', messages, tools }, 'anthropic');
};

const chat: Make = (steps, after) => {
  const messages: object[] = [
    { role: 'user', content: `${reminder}\n${task}` },
    { role: 'developer', content: 'Be brief.' },
    ...loop<object>(steps, (id, name) => [
      { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content: 'Done' },
    ]),
  ];
  if (after !== undefined) messages.push({ role: 'user', content: [{ type: 'text', text: after }] });
  const tools = names.map((name) => ({ type: 'function', function: { name, parameters: schema } }));
  return readChat({ model: 'm', messages, tools }, 'openai', false);
};

const responses: Make = (steps, after) => {
  const input: object[] = [
    { role: 'user', content: `${reminder}\n${task}` },
    { role: 'developer', content: 'Be brief.' },
    ...loop<object>(steps, (id, name) => [
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: id, name, arguments: '{}' },
      { type: 'function_call_output', call_id: id, output: 'Done' },
    ]),
  ];
  if (after !== undefined) input.push({ role: 'user', content: [{ type: 'input_text', text: after }] });
  const tools = names.map((name) => ({ type: 'function', name, parameters: schema }));
  return readResponses({ model: 'm', input, tools }, 'openai', false);
};

const gemini: Make = (steps, after) => {
  const contents: object[] = [
    { role: 'user', parts: [{ text: reminder }, { text: task }] },
    ...loop<object>(steps, (_id, name) => [
      { role: 'model', parts: [{ functionCall: { name, args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name, response: { result: 'Done' } } }] },
    ]),
  ];
  if (after !== undefined) contents.push({ role: 'user', parts: [{ text: after }] });
  const tools = [{ functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: schema })) }];
  return readContents({ contents, tools }, 'm', 'google');
};

const called = (prompt: Prompt) => decideCalls(prompt).map(({ name }) => name);

describe.each([
  ['Anthropic', anthropic],
  ['chat', chat],
  ['Responses', responses],
  ['Gemini', gemini],
] as const)('in the %s protocol', (_, make) => {
  test.each([
    ['alone', undefined],
    ['followed by a reminder', reminder],
    ['followed by a text of the agent', 'Here is the image.'],
  ])('every step is made once, its results %s', (_what, after) => {
    expect([0, 1, 2].map((steps) => called(make(steps, steps > 0 ? after : undefined)))).toEqual([
      ['Read'],
      ['Edit'],
      [],
    ]);
  });

  test('reminders are not repeated as the words of the user', () => {
    expect(make(0).lastUserText.trim()).toBe(task);
  });

  test('the answer to the last results repeats them', () => {
    expect(decide(make(2)).text).toContain('The function answered: Done');
  });
});

test('a command beside results begins a new round', () => {
  const prompt = chat(2, 'sandbox call Read {"path": "b"}');
  expect(decideCalls(prompt).map(({ arguments: given }) => given)).toEqual([{ path: 'b' }]);
});
