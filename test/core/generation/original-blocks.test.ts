/** The blocks of a body of the Messages API, wherever they stand. */
import { expect, test } from 'vitest';
import { blocksOf, mapBlocks } from '../../../lib/core/generation/original/original-blocks.ts';

const kept = { type: 'ephemeral', ttl: '1h' };
const definition = { name: 'f', input_schema: { type: 'object' }, cache_control: kept };
const body = {
  system: [{ type: 'text', text: 'a' }],
  tools: [{ name: 'g' }],
  messages: [
    {
      role: 'user',
      content: [{ type: 'document', source: { type: 'content', content: [{ type: 'image' }] } }],
    },
    { role: 'user', content: [{ type: 'tool_addition', tool: { definition } }] },
    { role: 'assistant', content: [{ type: 'summary', tool_changes: [{ tool: { definition } }] }] },
  ],
};

test('tools that a message defines are blocks, too', () => {
  expect(blocksOf(body).map(({ path }) => path)).toEqual([
    'system.0',
    'tools.0',
    'messages.0',
    'messages.0.content.0',
    'messages.0.content.0.source.content.0',
    'messages.1',
    'messages.1.content.0',
    'messages.1.content.0.tool.definition',
    'messages.2',
    'messages.2.content.0',
    'messages.2.content.0.tool_changes.0',
    'messages.2.content.0.tool_changes.0.tool.definition',
  ]);
  expect(blocksOf(body).filter(({ block }) => block.cache_control === kept)).toHaveLength(2);
});

test('a body without a change is the same object', () => {
  expect(mapBlocks(body, (block) => block)).toBe(body);
  const { messages } = mapBlocks(body, (block) => (block.name === 'f' ? { ...block, name: 'h' } : block));
  expect(messages).toMatchObject([{}, { content: [{ tool: { definition: { name: 'h' } } }] }, {}]);
});
