/** Requests that want a cached answer while the table fails: all get one of the provider, whole and in time. */
import { expect, test } from 'vitest';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { type StoreFault, startFaultyStore } from '../harness/store-faults.ts';
import { use } from '../harness/use.ts';

const store = use(startFaultyStore);
const gateway = use(() => startTestGateway({ GATEWAY_CACHED_ANSWER_TIMEOUT_MS: '500' }, { database: store }));

let questions = 0;

async function ask(content: string) {
  const response = await gateway.post('/v1/chat/completions', {
    model: 'openai/gpt-4.1',
    messages: [{ role: 'user', content }],
    extra: { cache: {}, debug: ['cache'] },
  });
  const { choices, debug } = (await response.json()) as {
    readonly choices: readonly { readonly message: { readonly content: string } }[];
    readonly debug: { readonly cache: object };
  };
  return { status: response.status, text: choices[0]?.message.content, cache: debug.cache };
}

const faults: readonly StoreFault[] = ['failed', 'throttled', 'hung up', 'silent'];

test.each(faults)('an answer that cannot be put, %s, is given all the same', async (fault) => {
  questions += 1;
  const content = `Question ${questions}`;
  store.setFaults((action, _, body) =>
    action === 'PutItem' && body.includes('cached#') ? fault : undefined,
  );
  const first = await ask(content);
  store.setFaults(undefined);
  const second = await ask(content);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.text).toBe(first.text);
  expect(first.cache).not.toMatchObject({ status: 'hit' });
});

test.each(faults)('a table that is %s is passed by', async (fault) => {
  store.setFaults((action, _, body) =>
    action === 'GetItem' && body.includes('cached#') ? fault : undefined,
  );
  const { status, cache } = await ask('What else?');
  expect({ status, cache }).toEqual({
    status: 200,
    cache: { status: 'bypass', reason: expect.stringMatching(/^(timeout|unavailable)$/) },
  });
  store.setFaults(undefined);
});
