/** The sandbox refuses the ids of models that Bedrock refuses in the calling region. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bedrockHandler } from '../../sandbox/bedrock/handler.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox([{ provider: 'bedrock', base: '/bedrock', handle: bedrockHandler }]);
});
afterAll(async () => await sandbox.close());

const signedIn = (region: string) =>
  `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261122/${region}/bedrock/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;

async function call(id: string, authorization: string, action = 'converse'): Promise<string> {
  const response = await fetch(`${sandbox.url}/bedrock/model/${encodeURIComponent(id)}/${action}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(
      action === 'invoke'
        ? { texts: ['Hello'], input_type: 'search_query' }
        : { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] },
    ),
  });
  const text = await response.text();
  return response.status === 200 ? 'answered' : text;
}

const onDemand = 'with on-demand throughput isn’t supported';
const invalid = 'The provided model identifier is invalid.';

test.each([
  ['anthropic.claude-haiku-4-5-20251001-v1:0', 'us-east-1', onDemand],
  ['amazon.nova-2-lite-v1:0', 'eu-central-1', onDemand],
  ['jp.anthropic.claude-opus-4-8', 'us-east-1', invalid],
  ['us.anthropic.claude-opus-4-8', 'eu-central-1', invalid],
  ['au.anthropic.claude-fable-5', 'ap-southeast-2', invalid],
  ['eu.anthropic.claude-opus-4-8', 'eu-central-1', 'answered'],
  ['global.anthropic.claude-opus-4-8', 'sa-east-1', 'answered'],
  ['amazon.some-other-v1:0', 'us-east-1', 'answered'],
])('%s, called from %s: %s', async (id, region, expected) => {
  expect(await call(id, signedIn(region))).toContain(expected);
});

test('with a key, whose region is not known, only ids that no region has', async () => {
  expect(await call('jp.anthropic.claude-opus-4-8', 'Bearer sandbox')).toBe('answered');
  expect(await call('anthropic.claude-opus-4-8', 'Bearer sandbox')).toContain(onDemand);
});

test('embeds by a profile', async () => {
  expect(await call('us.cohere.embed-v4:0', signedIn('us-east-1'), 'invoke')).toBe('answered');
  expect(await call('us.cohere.embed-v4:0', signedIn('eu-west-1'), 'invoke')).toContain(invalid);
});
