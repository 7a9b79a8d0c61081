/** Client secrets for realtime sessions through the official SDK: what is sent, what is recorded, and who gets none. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../../lib/stores/access/keys.ts';
import { useAccess } from '../../harness/access.ts';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { useStoppedClock } from '../../harness/stopped-clock.ts';
import { use } from '../../harness/use.ts';

const gateway = useWatchedGateway();
const access = useAccess();
const ledger = use(() => openLedger());

const model = 'openai/gpt-realtime-2.1';
const session = { type: 'realtime' as const, model, instructions: 'Be brief.' };
const path = '/v1/realtime/client_secrets';

const client = (headers: Record<string, string> = {}, apiKey = gateway.apiKey) =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0, defaultHeaders: headers });

async function clientOf(key: Partial<NewApiKey>) {
  const { authorization } = await access.newKey(key);
  return client({}, authorization.slice('Bearer '.length));
}

const sent = () => gateway.take().find((request) => request.path.endsWith('/realtime/client_secrets'));

test("OpenAI's own secret comes with its session; the record has a cost that is unknown, and no secret", async () => {
  const { data, response } = await client({
    'openai-safety-identifier': 'user-1',
    'x-gateway-user-id': 'speaks',
  })
    .realtime.clientSecrets.create({ expires_after: { anchor: 'created_at', seconds: 60 }, session })
    .withResponse();
  expect(data.value).toMatch(/^ek_/);
  expect(data.expires_at).toBeGreaterThan(Date.now() / 1000);
  expect(data.session).toMatchObject({ type: 'realtime', model: 'gpt-realtime-2.1' });
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { body, headers } = sent() ?? {};
  expect(body).toEqual({
    expires_after: { anchor: 'created_at', seconds: 60 },
    session: { ...session, model: 'gpt-realtime-2.1' },
  });
  expect(headers?.['openai-safety-identifier']).toBe('user-1');
  const records = await ledger.recordsOf('local');
  const [record] = records.filter(({ user }) => user === 'speaks');
  expect(record).toMatchObject({ operation: 'realtime-client-secrets', model, cost: null, charge: null });
  expect(JSON.stringify(records)).not.toContain(data.value);
});

test('a session that only transcribes names its model where it is', async () => {
  const transcription = { model: 'openai/gpt-realtime-whisper', language: 'en' };
  const { session: made } = await client().realtime.clientSecrets.create({
    session: { type: 'transcription', audio: { input: { transcription } } },
  });
  expect(made).toMatchObject({ type: 'transcription' });
  expect(sent()?.body).toMatchObject({
    session: { audio: { input: { transcription: { model: 'gpt-realtime-whisper', language: 'en' } } } },
  });
});

test('a secret is not kept for a repeated request', async () => {
  const ask = () =>
    gateway.post(path, { session }, { 'idempotency-key': 'realtime-1' }).then((answer) => answer.json());
  expect(await ask()).toMatchObject({ value: expect.stringMatching(/^ek_/) });
  expect(await ask()).toMatchObject({ error: { code: 'idempotency_key_reused' } });
});

test.each([
  ['a budget', { limits: { monthlyBudget: 1_000_000_000 } }],
  ['credit', { limits: { credit: 1_000_000_000 } }],
  ['a limit of tokens', { limits: { tokensPerMinute: 1_000_000 } }],
])('a key with %s gets none, and the provider is not asked', async (_, key) => {
  gateway.take();
  const asked = (await clientOf(key)).realtime.clientSecrets.create({ session });
  await expect(asked).rejects.toMatchObject({ status: 403, code: 'session_unseen' });
  expect(sent()).toBeUndefined();
});

describe('within a minute', () => {
  useStoppedClock();

  test('a key with a limit of requests gets as many as that', async () => {
    const limited = await clientOf({ limits: { requestsPerMinute: 1 } });
    await limited.realtime.clientSecrets.create({ session });
    await expect(limited.realtime.clientSecrets.create({ session })).rejects.toMatchObject({ status: 429 });
  });
});

test('who is promised zero data retention gets none', async () => {
  const answer = await gateway.post(path, { session, provider: { zdr: true } });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ error: { code: 'session_unseen' } });
});

test('a model that the key may not use is none of the session either, nor of what writes it down', async () => {
  const only = await clientOf({ models: [model] });
  await expect(
    only.realtime.clientSecrets.create({ session: { ...session, model: 'gpt-realtime-2.1-mini' } }),
  ).rejects.toMatchObject({ status: 403, param: 'session.model' });
  const heard = { input: { transcription: { model: 'gpt-realtime-whisper' } } };
  await expect(
    only.realtime.clientSecrets.create({ session: { ...session, audio: heard } }),
  ).rejects.toMatchObject({ status: 403 });
  await only.realtime.clientSecrets.create({ session });
});

const heard = {
  type: 'transcription',
  audio: { input: { transcription: { model: 'openai/gpt-realtime-whisper' } } },
};

test.each([
  ['no session', {}, 'session'],
  ['no model', { session: { type: 'realtime' } }, 'session.model'],
  ['a prompt of the account', { session: { ...session, prompt: { id: 'pmpt_1' } } }, 'session.prompt'],
  ['another model beside that of a transcription', { session: { ...heard, model } }, 'session.model'],
  ['a prompt of a transcription', { session: { ...heard, prompt: { id: 'pmpt_1' } } }, 'session.prompt'],
  ['a short life', { session, expires_after: { seconds: 9 } }, 'expires_after.seconds'],
  ['a long life', { session, expires_after: { seconds: 7_201 } }, 'expires_after.seconds'],
  ['a model that chats', { session: { ...session, model: 'openai/gpt-4.1' } }, 'session.model'],
  ['an unknown field', { session, stream: true }, 'stream'],
  ['a field that the provider refuses', { session: { ...session, voice: 'coral' } }, 'session.voice'],
])('%s is refused by its field', async (_, body, param) => {
  const answer = await gateway.post(path, body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { param } });
});
