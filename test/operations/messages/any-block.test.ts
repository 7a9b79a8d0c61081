/** Blocks of every type wherever one may stand, with as little as their type: none of them breaks the gateway. */
import { describe, expect, test } from 'vitest';
import { message, useFirstLane } from '../../harness/first-lane.ts';
import { answerJson } from '../../harness/upstream.ts';

const lane = useFirstLane();

type Block = Readonly<Record<string, unknown>>;

const user = (content: unknown) => ({ role: 'user', content });
const bodyOf = (content: unknown) => ({ messages: [user(content)] });

const places: Readonly<Record<string, (block: Block) => object>> = {
  system: (block) => ({ system: [block] }),
  'a message of the user': (block) => bodyOf([block]),
  'a message of the assistant': (block) => ({
    messages: [user('Hi'), { role: 'assistant', content: [block] }, user('Go on.')],
  }),
  'a message of the system': (block) => ({ messages: [user('Hi'), { role: 'system', content: [block] }] }),
  'the result of a tool': (block) =>
    bodyOf([{ type: 'tool_result', tool_use_id: 'toolu_1', content: [block] }]),
  'a document': (block) => bodyOf([{ type: 'document', source: { type: 'content', content: [block] } }]),
  'the result of a tool of Anthropic': (block) => ({
    messages: [
      user('Hi'),
      { role: 'assistant', content: [{ type: 'web_fetch_tool_result', tool_use_id: 'a', content: block }] },
      user('Go on.'),
    ],
  }),
};

const types = [
  ...['text', 'image', 'document', 'search_result', 'tool_reference', 'tool_result', 'tool_use', 'thinking'],
  ...['redacted_thinking', 'compaction', 'tool_addition', 'tool_removal', 'server_tool_use', 'mcp_tool_use'],
  ...[
    'mcp_tool_result',
    'web_search_tool_result',
    'code_execution_tool_result',
    'container_upload',
    'unheard_of',
  ],
];

const odd = [
  {},
  { content: 1 },
  { content: [null, 1, 'a', {}] },
  { source: 1 },
  { source: {} },
  { tool: null },
];

async function statusOf(body: object): Promise<number> {
  return (await lane.answered(answerJson(message), { max_tokens: 16, ...body })).status;
}

describe.each(Object.keys(places))('in %s', (place) => {
  test.each(types)('%s', async (type) => {
    for (const members of odd) {
      const body = places[place]?.({ type, ...members }) ?? {};
      expect([JSON.stringify(body), [200, 400].includes(await statusOf(body))]).toEqual([
        JSON.stringify(body),
        true,
      ]);
    }
  });

  test('a file that is stored at Anthropic is refused', async () => {
    const source = { type: 'file', file_id: 'file_of_another' };
    const inner = [
      { type: 'image', source },
      { type: 'document', source },
      { type: 'container_upload', file_id: 'file_of_another' },
      { type: 'unheard_of', items: [{ type: 'image', source }] },
      { type: 'unheard_of', source: { type: 'content', content: [{ type: 'image', source }] } },
      { type: 'web_fetch_result', content: { type: 'document', source } },
    ];
    for (const block of inner) {
      const body = places[place]?.(block) ?? {};
      expect([JSON.stringify(body), await statusOf(body)]).toEqual([JSON.stringify(body), 400]);
      expect(lane.upstream.requests).toEqual([]);
    }
  });
});

test('the input of a call may look like such a file', async () => {
  const input = { type: 'document', source: { type: 'file', file_id: 'of the caller' } };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'open', input };
  const messages = [user('Hi'), { role: 'assistant', content: [call] }, user('Go on.')];
  expect(await statusOf({ messages })).toBe(200);
});
