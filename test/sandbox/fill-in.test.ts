/** The sandbox of Mistral's path for filling in between two texts: what it answers, and what it refuses. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxRoutes } from '../../local/providers.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox(sandboxRoutes);
});
afterAll(() => sandbox.close());

const body = { model: 'codestral-latest', prompt: 'a', suffix: 'b', max_tokens: 50 };

async function ask(provider: string, sent: object) {
  const base = sandboxRoutes.find((route) => route.provider === provider)?.base ?? '';
  const response = await fetch(`${sandbox.url}${base}/fim/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
  return response.status;
}

test.each<[string, string, object, number]>([
  ['answers', 'mistral', body, 200],
  ['needs no suffix', 'mistral', { ...body, suffix: undefined }, 200],
  ['needs a prompt', 'mistral', { ...body, prompt: undefined }, 400],
  ['takes no messages', 'mistral', { ...body, messages: [{ role: 'user', content: 'a' }] }, 400],
  ['takes no penalties', 'mistral', { ...body, presence_penalty: 1 }, 400],
  ['takes no choices', 'mistral', { ...body, n: 2 }, 400],
  ['has no other models', 'mistral', { ...body, model: 'mistral-large-2512' }, 400],
  ['is at no other host', 'groq', body, 404],
])('it %s (%s, %j: %i)', async (_, provider, sent, status) => {
  expect(await ask(provider, sent)).toBe(status);
});
