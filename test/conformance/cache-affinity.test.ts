/** The `prompt_cache_key` that the gateway adds for providers that route by it. */

import { beforeAll, describe, expect, test } from 'vitest';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { chatAnswer } from '../harness/chat-answers.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { answerJson } from '../harness/upstream.ts';

let otherTenant: string;

const { gateway, upstream } = useUpstreamGateway(['OPENAI', 'AZURE', 'ANTHROPIC', 'GROQ']);
beforeAll(async () => {
  upstream.script(answerJson({ error: { message: 'Stop here.' } }, 400));
  await putModels({
    'keyed/azure': [{ provider: 'azure', upstreamId: 'one' }],
    'keyed/groq': [{ provider: 'groq', upstreamId: 'one' }],
  });
  const { call, close } = connectDatabase(databaseEndpoint());
  await createTenantStore({ call, table: 'access' }).create('other', {});
  otherTenant = (await createKeyStore({ call, table: 'access' }).create({ tenant: 'other' })).secret;
  await close();
});

const long = 'word '.repeat(600);
const say = (content: string) => [{ role: 'user', content }];

/** The key that went upstream. */
async function keySent(path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const before = upstream.requests.length;
  await (await gateway.post(path, body, headers)).text();
  const [sent] = upstream.requests.slice(before);
  expect(sent, 'a request went upstream').toBeDefined();
  return sent?.body.prompt_cache_key;
}

const chat = (messages: readonly object[], more: object = {}, headers = {}) =>
  keySent('/v1/chat/completions', { model: 'openai/gpt-4.1', messages, ...more }, headers);
const isKey = expect.stringMatching(/^[0-9a-f]{32}$/);

describe('is added', () => {
  test('for OpenAI and Azure, on chat and Responses', async () => {
    const key = await chat(say(long));
    expect(key).toEqual(isKey);
    expect(await chat(say(long), { model: 'keyed/azure' })).toBe(key);
    expect(await keySent('/v1/responses', { model: 'openai/gpt-4.1', input: long })).toBe(key);
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
    expect(await chat(say(long), { model: 'openai/gpt-5.5', tools }), 'chat over Responses').toBe(key);
  });

  test('the same in each turn of a conversation', async () => {
    const first = [{ role: 'system', content: 'Be brief.' }, ...say(long)];
    const later = [...first, { role: 'assistant', content: 'Yes.' }, ...say('Go on.')];
    expect(await chat(later)).toBe(await chat(first));
  });

  test('another for another conversation, another instruction, and another tenant', async () => {
    const keys = [
      await chat(say(long)),
      await chat(say(`${long} else`)),
      await chat([{ role: 'system', content: 'Be brief.' }, ...say(long)]),
      await chat(say(long), {}, { authorization: `Bearer ${otherTenant}` }),
    ];
    for (const key of keys) expect(key).toEqual(isKey);
    expect(new Set(keys).size).toBe(4);
  });

  test('by the session, where the caller names one', async () => {
    const session = { 'x-gateway-session-id': 'one' };
    expect(await chat(say(`${long}!`), {}, session)).toBe(await chat(say(long), {}, session));
    expect(await chat(say(long), {}, session)).not.toBe(await chat(say(long)));
  });
});

describe('is not added', () => {
  test.each([
    ['to a short prompt, which is not cached', 'openai/gpt-4.1', say('Hello'), {}],
    ['at providers that do not route by it', 'anthropic/claude-opus-5', say(long), {}],
    ['at hosts with the same protocol', 'keyed/groq', say(long), {}],
    ['where parameters go unchanged', 'openai/gpt-4.1', say(long), { extra: { normalize: false } }],
  ])('%s', async (_name, model, messages, more) => {
    expect(await chat(messages, { model, ...more })).toBeUndefined();
  });

  test('over that of the caller', async () => {
    const body = { model: 'openai/gpt-4.1', input: long, prompt_cache_key: 'mine' };
    expect(await keySent('/v1/responses', body)).toBe('mine');
    expect(await chat(say(long), { prompt_cache_key: 'mine' })).toBe('mine');
  });
});

test('the addition is on record', async () => {
  upstream.script(answerJson(chatAnswer('Hello.')));
  const body = { model: 'openai/gpt-4.1', messages: say(long), extra: { debug: ['normalizations'] } };
  const answer = await gateway.post('/v1/chat/completions', body);
  expect(await answer.json()).toMatchObject({
    debug: {
      normalizations: [{ param: 'prompt_cache_key', action: 'add', before: null, after: isKey }],
    },
  });
});
