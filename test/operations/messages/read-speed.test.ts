/** What reading a long conversation costs, compared with the same one in chat. */
import { expect, test } from 'vitest';
import { parseSchema } from '../../../lib/core/formats/parse-schema.ts';
import { readChat } from '../../../lib/operations/chat/read/read.ts';
import { chatSchema } from '../../../lib/operations/chat/read/schema.ts';
import { readMessages } from '../../../lib/operations/messages/read/read.ts';
import { messagesSchema } from '../../../lib/operations/messages/read/schema.ts';
import { cpuOf } from '../../harness/cpu.ts';
import { claudeCodeRequest } from './claude-code-request.ts';

const turns = 100;
const repeats = 30;

const input = { path: '/garden/plan.md', old_text: 'rose '.repeat(40), new_text: 'tulip '.repeat(40) };
const found = 'The plan of the garden, line by line. '.repeat(50);
const numbers = Array.from({ length: turns }, (_, index) => index);
const shared = { model: 'anthropic/claude-sonnet-5', stream: true, max_tokens: 32_000 };

const messages = {
  ...claudeCodeRequest,
  ...shared,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Make the garden greener.' }] },
    ...numbers.flatMap((number) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'The next bed.', signature: 'c2lnbmVk'.repeat(20) },
          { type: 'text', text: 'I change the next bed.' },
          { type: 'tool_use', id: `toolu_${number}`, name: 'Edit', input },
        ],
      },
      {
        role: 'user',
        content: [{ tool_use_id: `toolu_${number}`, type: 'tool_result', content: found }],
      },
    ]),
  ],
};

const chat = {
  ...shared,
  tools: claudeCodeRequest.tools.map(({ name, description, input_schema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  })),
  messages: [
    { role: 'system', content: claudeCodeRequest.system },
    { role: 'user', content: [{ type: 'text', text: 'Make the garden greener.' }] },
    ...numbers.flatMap((number) => [
      {
        role: 'assistant',
        reasoning_details: [
          { type: 'reasoning.text', text: 'The next bed.', signature: 'c2lnbmVk'.repeat(20) },
        ],
        content: 'I change the next bed.',
        tool_calls: [
          {
            type: 'function',
            id: `toolu_${number}`,
            function: { name: 'Edit', arguments: JSON.stringify(input) },
          },
        ],
      },
      { role: 'tool', tool_call_id: `toolu_${number}`, content: found },
    ]),
  ],
};

const ofMessages = JSON.stringify(messages);
const ofChat = JSON.stringify(chat);

function readAll(
  text: string,
  schema: typeof messagesSchema | typeof chatSchema,
  read: (body: never, given: unknown) => unknown,
) {
  for (let run = 0; run < repeats; run += 1) {
    const given: unknown = JSON.parse(text);
    const parsed = parseSchema(schema, given);
    if (!parsed.success) throw parsed.error;
    read(parsed.data as never, given);
  }
}

/** Of several rounds, in turns: what runs first is compiled while it is measured. */
const rounds = 7;

/** It is 1.35 on an idle machine, and up to 1.6 on a busy one: the same messages have a third more blocks than in chat. */
const most = 2;

test('a long conversation of Claude Code costs about what it costs in chat', async () => {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofOne = await cpuOf(() => readAll(ofMessages, messagesSchema, readMessages));
    const ofOther = await cpuOf(() => readAll(ofChat, chatSchema, readChat));
    ratios.push(ofOne / ofOther);
  }
  const [median = Number.POSITIVE_INFINITY] = ratios.sort((one, other) => one - other).slice(rounds >> 1);
  expect(median).toBeLessThan(most);
});
