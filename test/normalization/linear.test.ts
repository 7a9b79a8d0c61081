/** What a caller may send many of costs time in proportion, through every protocol's rules and encoder. */
import { describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import type { Target } from '../../lib/core/catalog/model.ts';
import { validate } from '../../lib/http/request/validate.ts';
import { readChat } from '../../lib/operations/chat/read/read.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { maxTokensOf } from '../../lib/pipeline/generation/bounds/token-bounds.ts';
import { prepareGeneration } from '../../lib/pipeline/generation/prepare.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { cpuOf } from '../harness/cpu.ts';

/** A target of each protocol. */
const targets = new Map<string, Target>();
for (const row of seedRows) {
  const model = readModelRow(row);
  for (const deployment of model.deployments) {
    const { generation, chatOverResponses } = providers.get(deployment.provider) ?? {};
    if (!generation || !model.endpoints.includes('chat_completions')) continue;
    const over = model.traits.onlyResponses ? chatOverResponses?.generation : generation;
    const { name } = (over ?? generation).protocol;
    if (!targets.has(name)) targets.set(name, { model, deployment });
  }
}

const list = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));
const user = (content: unknown = 'Hello.') => ({ role: 'user', content });
const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Seen.' });
const tool = (index: number) => ({
  type: 'function',
  function: { name: `look_${index}`, parameters: { type: 'object', properties: { a: { type: 'string' } } } },
});
const look = { type: 'function', function: { name: 'look' } };

const bodies: Readonly<Record<string, (count: number) => object>> = {
  'messages of users': (count) => ({ messages: list(count, () => user()) }),
  'system messages': (count) => ({
    messages: [...list(count, () => ({ role: 'system', content: 'Be brief.' })), user()],
  }),
  'system messages between others': (count) => ({
    messages: list(count, (index) => (index % 2 ? { role: 'system', content: 'Be brief.' } : user())),
  }),
  'marked messages': (count) => ({
    messages: list(count, () => ({ ...user(), cache_control: { type: 'ephemeral' } })),
  }),
  'parts of a message': (count) => ({
    messages: [user(list(count, () => ({ type: 'text', text: 'Hello.' })))],
  }),
  'calls with their results': (count) => ({
    tools: [look],
    messages: [
      user(),
      ...list(count / 2, (index) => [
        { role: 'assistant', content: null, tool_calls: [call(`call_${index}`)] },
        result(`call_${index}`),
      ]).flat(),
    ],
  }),
  'calls of one message': (count) => ({
    tools: [look],
    messages: [
      user(),
      { role: 'assistant', content: null, tool_calls: list(count / 2, (index) => call(`call_${index}`)) },
      ...list(count / 2, (index) => result(`call_${index}`)),
    ],
  }),
  'calls without results': (count) => ({
    tools: [look],
    messages: [
      user(),
      ...list(count, (index) => ({ role: 'assistant', content: null, tool_calls: [call(`call_${index}`)] })),
    ],
  }),
  'results without calls': (count) => ({
    messages: [user(), ...list(count - 1, (index) => result(`call_${index}`))],
  }),
  'reasoning of answers': (count) => ({
    messages: list(count, (index) =>
      index % 2
        ? {
            role: 'assistant',
            content: 'Hi.',
            reasoning_details: [
              {
                type: 'reasoning.text',
                text: 'Hm.',
                signature: 'c2ln',
                format: 'anthropic-claude-v1',
                index: 0,
              },
            ],
          }
        : user(),
    ),
  }),
  'pieces of reasoning': (count) => ({
    messages: [
      user(),
      {
        role: 'assistant',
        content: 'Hi.',
        reasoning_details: list(count, (index) => ({
          type: 'reasoning.text',
          text: 'Hm.',
          signature: 'c2ln',
          format: 'anthropic-claude-v1',
          index,
        })),
      },
      user(),
    ],
  }),
  tools: (count) => ({ messages: [user()], tools: list(Math.floor(count / 10), tool) }),
  'values of a schema': (count) => ({
    messages: [user()],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        strict: true,
        schema: {
          type: 'object',
          properties: {
            ...Object.fromEntries(
              list(count / 2, (index) => [`field_${index}`, { type: 'string', pattern: '^a$' }]),
            ),
            kind: { enum: list(count, (index) => `kind ${index}`) },
          },
        },
      },
    },
  }),
};

const loaded = { load: async () => undefined, loadBuiltIn: async () => undefined };

/** Quadratic work would take sixteen times as long; less than a millisecond is not measured exactly. */
const most = 10;
const shortest = 1;

describe.each([...targets])('%s', (_protocol, target) => {
  test.each(Object.entries(bodies))('%s', async (_name, bodyOf) => {
    const work = (count: number) => {
      const body = { model: target.model.id, ...bodyOf(count) };
      return () => {
        const { request } = readChat(validate(chatSchema, body), body);
        try {
          maxTokensOf(request, target);
          const parts = {
            providers: { ...loaded, get: (name: string) => providers.get(name) },
            endpoint: 'chat_completions',
            primary: target,
          } as const;
          const sent = prepareGeneration(parts, target, { request, normalize: true });
          sent.generation.protocol.encode(sent.request, target);
        } catch {
          // A refusal takes time, too.
        }
      };
    };
    const few = await cpuOf(work(1_500), 3);
    const many = await cpuOf(work(6_000), 2);
    expect(many / Math.max(few, shortest)).toBeLessThan(most);
  });
});
