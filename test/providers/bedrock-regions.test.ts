/** A gateway in Frankfurt calls Bedrock there, bills that way, and honours a caller's regions. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { answerJson, startUpstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const profile = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/team-a1b2c3d4e5f6';

const upstream = use(() => startUpstream());
const gateway = use(() =>
  startTestGateway({
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'an-example-secret',
    BEDROCK_UPSTREAM_URL: upstream.url,
  }),
);
const ledger = use(() => openLedger());
beforeAll(async () => {
  await putModels({
    'acme/own-profile': [{ provider: 'bedrock', region: 'eu-central-1', upstreamId: profile }],
  });
});

const message = { role: 'assistant', content: [{ text: 'Hi.' }] };
const usage = { inputTokens: 1_000, outputTokens: 100 };

interface Answer {
  readonly error?: { readonly message: string; readonly param: string };
  readonly debug?: { readonly routing: readonly object[] };
}

async function chat(body: object) {
  upstream.script(answerJson({ output: { message }, stopReason: 'end_turn', usage }));
  const response = await gateway.post('/v1/chat/completions', {
    messages: [{ role: 'user', content: 'Hello' }],
    extra: { debug: ['routing'] },
    ...body,
  });
  const answer = (await response.json()) as Answer;
  const id = response.headers.get('x-request-id');
  const [sent] = upstream.requests;
  return { status: response.status, id, sent, answer };
}

test('the profile of the geography is called in the region, with its signature and its price', async () => {
  const { status, id, sent, answer } = await chat({ model: 'anthropic/claude-haiku-4-5' });
  expect(status, JSON.stringify(answer)).toBe(200);
  expect(sent?.path).toBe('/model/eu.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse');
  expect(sent?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, /,
  );
  const signed = /SignedHeaders=([^,]+)/.exec(`${sent?.headers.authorization}`)?.[1]?.split(';');
  expect(signed).toEqual(expect.arrayContaining(['host', 'x-amz-date']));
  const record = (await ledger.recordsOf('local')).find(({ requestId }) => requestId === id);
  expect(record?.attempts).toEqual([
    expect.objectContaining({
      region: 'eu-central-1',
      upstreamId: 'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
      // A tenth more than the global profile.
      cost: (11 * (1_000 * 1_000 + 100 * 5_000)) / 10,
    }),
  ]);
  const described = await fetch(`${gateway.url}/v1/usage/requests/${id}`, {
    headers: { authorization: `Bearer ${gateway.apiKey}` },
  });
  const { attempts } = (await described.json()) as { readonly attempts: readonly object[] };
  expect(JSON.stringify(attempts)).toContain('uplift');
});

test('an application inference profile is one segment of the path, and signed as it is sent', async () => {
  const { status, sent } = await chat({ model: 'acme/own-profile' });
  expect(status).toBe(200);
  expect(sent?.path).toBe(`/model/${encodeURIComponent(profile)}/converse`);
  expect(sent?.headers.authorization).toContain('/eu-central-1/bedrock/aws4_request');
});

describe('provider.regions', () => {
  const fallback = { fallbacks: ['anthropic/claude-haiku-4-5'], debug: ['routing'] };

  test.each([[['eu']], [['us', 'EU']], [['global']]])('%j allows the European profile', async (regions) => {
    const { status, sent } = await chat({ model: 'anthropic/claude-haiku-4-5', provider: { regions } });
    expect(status).toBe(200);
    expect(sent?.path).toContain('/eu.anthropic.');
  });

  test.each([
    ['a profile of a whole geography, for one region', 'anthropic/claude-haiku-4-5', ['eu-central-1']],
    ['another geography', 'anthropic/claude-haiku-4-5', ['us']],
    ['the global profile', 'anthropic/claude-fable-5', ['eu', 'us']],
    ['a place of unknown regions', 'acme/own-profile', ['eu', 'global']],
    ['everything, with no region', 'anthropic/claude-haiku-4-5', []],
  ])('excludes %s', async (_, model, regions) => {
    const { status, answer } = await chat({ model, provider: { regions, only: ['bedrock'] } });
    expect(status, JSON.stringify(answer)).toBe(400);
    expect(answer.error?.param).toBe('provider.regions');
  });

  test.each([
    ['/v1/embeddings', { model: 'amazon/titan-embed-text-v2', input: 'Hello' }],
    ['/v1/images/generations', { model: 'openai/gpt-image-2', prompt: 'A cat.' }],
  ])('is a field of %s, too', async (path, body) => {
    const askWith = async (provider: object) => {
      const response = await gateway.post(path, { ...body, provider });
      return { status: response.status, ...((await response.json()) as Answer) };
    };
    const { status, error } = await askWith({ regions: ['eu'] });
    expect(status, JSON.stringify(error)).toBe(400);
    expect(error?.param).toBe('provider.regions');
    // Which parameters a place would leave out is known of text only.
    expect((await askWith({ require_parameters: true })).error?.param).toMatch(/^provider/);
  });

  test('leaves the fallback that complies, and says why the other place was not used', async () => {
    const { status, sent, answer } = await chat({
      model: 'acme/own-profile',
      provider: { regions: ['eu'] },
      extra: fallback,
    });
    expect(status, JSON.stringify(answer)).toBe(200);
    expect(sent?.path).toContain('/eu.anthropic.');
    expect(answer.debug?.routing).toContainEqual(
      expect.objectContaining({ status: 'skipped', reason: 'provider.regions', model: 'acme/own-profile' }),
    );
  });
});
