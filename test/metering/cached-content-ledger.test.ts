/** Cached content at Gemini in the ledger: what it costs to make and to keep. Tested through the local gateway. */
import { expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { answerJson, type UpstreamScript } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const protocols = useProtocolGateway();
const tokens = 150_000;
const model = 'google/gemini-3.1-pro-preview';

const ledger = use(openLedger);

const made = answerJson({
  name: 'cachedContents/one',
  createTime: '2026-11-22T10:00:00Z',
  usageMetadata: { totalTokenCount: tokens },
});
const changed = answerJson({ name: 'cachedContents/one', updateTime: '2026-11-22T10:01:00Z' });
const answered = answerJson({
  candidates: [{ content: { parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: tokens + 5, cachedContentTokenCount: tokens, candidatesTokenCount: 7 },
});

const google =
  (generate: UpstreamScript): UpstreamScript =>
  (request, response) =>
    answerOf(request.path, generate)(request, response);

function answerOf(path: string, generate: UpstreamScript): UpstreamScript {
  if (path.endsWith('/cachedContents')) return made;
  return path.endsWith('/cachedContents/one') ? changed : generate;
}

let asked = 0;

async function ask(generate: UpstreamScript, { again = false } = {}) {
  if (!again) asked += 1;
  protocols.upstream.script(google(generate));
  const cache_control = { type: 'ephemeral', ttl: '31536000s' };
  const response = await protocols.gateway.post('/v1/chat/completions', {
    model,
    messages: [
      { role: 'system', content: [{ type: 'text', text: `Rules of case ${asked}.`, cache_control }] },
      { role: 'user', content: 'Hello.' },
    ],
    extra: { debug: ['normalizations'] },
  });
  const body = (await response.json()) as { usage?: object; debug?: { normalizations: readonly object[] } };
  const records = await ledger.recordsOf('local');
  const record = records.find(({ requestId }) => requestId === response.headers.get('x-request-id'));
  return { body, record };
}

const partsOf = (record: LedgerRecord | undefined) => record?.attempts.at(-1)?.usage?.calls;

test('the answer that makes it is billed for making and keeping it, at first for five minutes', async () => {
  const { body, record } = await ask(answered);
  expect(protocols.upstream.requests[0]?.body.ttl).toBe('300s');
  expect(partsOf(record)).toMatchObject([
    { promptTokens: tokens, cacheWriteTokens: tokens, cacheStorage: { tokens, seconds: 300 } },
    { promptTokens: tokens + 5, cachedTokens: tokens, completionTokens: 7 },
  ]);
  expect(body.usage).toMatchObject({ prompt_tokens: tokens + 5, completion_tokens: 7 });
  expect(body.debug?.normalizations).toContainEqual(
    expect.objectContaining({ action: 'override', after: { type: 'ephemeral', ttl: '3600s' } }),
  );
});

test('the answer that uses it a second time is billed for keeping it for longer', async () => {
  await ask(answered);
  const { record } = await ask(answered, { again: true });
  const changing = protocols.upstream.requests.find(({ path }) => path.endsWith('/cachedContents/one'));
  expect(changing?.body).toEqual({ expireTime: '2026-11-22T11:00:00.000Z' });
  expect(partsOf(record)).toMatchObject([
    { promptTokens: 0, cacheWriteTokens: 0, cacheStorage: { tokens, seconds: 3_300 } },
    { promptTokens: tokens + 5, cachedTokens: tokens, completionTokens: 7 },
  ]);
  expect(record?.cost).toBeGreaterThan(0);
});

test('a request that fails after it was made is billed for making it', async () => {
  const { record } = await ask(
    answerJson({ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } }, 400),
  );
  expect(record).toMatchObject({
    status: 400,
    attempts: [{ usage: { cacheWriteTokens: tokens, cacheStorage: { tokens, seconds: 300 } } }],
  });
  expect(record?.cost).not.toBe(0);
});
