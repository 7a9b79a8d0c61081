/** Streams of providers that break: no part of one is ever taken for an answer. */
import { beforeAll, expect, test } from 'vitest';
import { useCachedAnswers } from '../harness/cached-answers.ts';
import { putModels } from '../harness/matrix/catalog.ts';

const cached = useCachedAnswers();
const { newQuestion, newKey, ask } = cached;

beforeAll(() => putModels({ 'cached/claude': [{ provider: 'anthropic', upstreamId: 'claude' }] }));

type Request = readonly [path: string, body: object];

const messages = () => [{ role: 'user', content: newQuestion() }];

const streams: readonly (readonly [protocol: string, request: () => Request, events: number])[] = [
  ['chat', () => ['/v1/chat/completions', { model: 'cached/one', messages: messages() }], 3],
  ['Responses', () => ['/v1/responses', { model: 'openai/gpt-4.1-mini', input: newQuestion() }], 8],
  ['Messages', () => ['/v1/messages', { model: 'cached/claude', max_tokens: 100, messages: messages() }], 6],
];

test.each(streams)(
  'a stream of %s that breaks after any event leaves nothing',
  async (_, request, events) => {
    const { authorization } = await newKey();
    for (let cutAfter = 0; cutAfter < events; cutAfter += 1) {
      const [path, body] = request();
      const asked = { ...body, stream: true, extra: { cache: {} } };
      cached.answer({ cutAfter });
      await ask(authorization, asked, { path });
      cached.answer({});
      const again = await ask(authorization, asked, { path });
      expect([cutAfter, again.status, again.cache]).toEqual([cutAfter, 200, 'miss']);
    }
  },
);
