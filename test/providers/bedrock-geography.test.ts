/** A gateway that keeps Bedrock inside the European Union refuses what has no place there, by the name of its setting. */
import { beforeAll, expect, test } from 'vitest';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { answerJson } from '../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('BEDROCK', {
  GATEWAY_BEDROCK_REGION: 'eu-west-1',
  GATEWAY_BEDROCK_GEOGRAPHY: 'geography',
});
beforeAll(() => {
  const message = { role: 'assistant', content: [{ text: 'Hi.' }] };
  const usage = { inputTokens: 1, outputTokens: 1 };
  upstream.script(answerJson({ output: { message }, stopReason: 'end_turn', usage }));
});

async function chat(body: object) {
  const before = upstream.total;
  const response = await gateway.post('/v1/chat/completions', {
    messages: [{ role: 'user', content: 'Hello' }],
    extra: { debug: ['routing'] },
    provider: { only: ['bedrock'] },
    ...body,
  });
  const text = await response.text();
  return { status: response.status, text, calls: upstream.total - before };
}

test('a model with a place there is called there', async () => {
  const { status, text } = await chat({ model: 'anthropic/claude-opus-5-5' });
  expect(status, text).toBe(200);
  expect(upstream.requests.at(-1)?.path).toBe('/model/eu.anthropic.claude-opus-5-5/converse');
});

test('a model without one is refused, and nothing is sent', async () => {
  const { status, text, calls } = await chat({ model: 'anthropic/claude-fable-5' });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ error: { param: 'model', type: 'invalid_request_error' } });
  expect(text).toContain("the operator's setting 'bedrockGeography'");
  expect(calls).toBe(0);
});

test('embeddings, too', async () => {
  const body = { model: 'amazon/titan-embed-text-v2', input: 'Hello' };
  const response = await gateway.post('/v1/embeddings', body);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('bedrockGeography');
});

test('another place of the model is used instead, and the reason is in debug.routing', async () => {
  const { status, text } = await chat({ model: 'anthropic/claude-fable-5', provider: {} });
  expect(status, text).toBe(200);
  const { debug } = JSON.parse(text) as { readonly debug: { readonly routing: readonly object[] } };
  expect(debug.routing).toContainEqual(
    expect.objectContaining({ provider: 'bedrock', status: 'skipped', reason: 'bedrockGeography' }),
  );
});

test('a name that is none stops the start', async () => {
  const { deploymentResolver } = await import('../../lib/runtime/public-runtime.ts');
  const start = (geography: string) => () =>
    deploymentResolver({ AWS_REGION: 'eu-west-1', GATEWAY_BEDROCK_GEOGRAPHY: geography });
  expect(start('europe')).toThrow('GATEWAY_BEDROCK_GEOGRAPHY must be one of any, global, region, geography');
  expect(start('eu,')).toThrow('GATEWAY_BEDROCK_GEOGRAPHY');
  expect(start('eu,eu-west-2')).not.toThrow();
});
