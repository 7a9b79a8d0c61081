/** Without an API key, Bedrock is called with an AWS signature, for the region of the deployment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';

let gateway: TestGateway;
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway({
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'an-example-secret',
    BEDROCK_UPSTREAM_URL: upstream.url,
  });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});

test('the request is signed, host and all', async () => {
  const message = { role: 'assistant', content: [{ text: 'Hi.' }] };
  const usage = { inputTokens: 1, outputTokens: 1 };
  upstream.script(answerJson({ output: { message }, stopReason: 'end_turn', usage }));
  const messages = [{ role: 'user', content: 'Hello' }];
  const response = await gateway.post('/v1/chat/completions', { model: 'amazon/nova-2-lite', messages });
  expect(response.status).toBe(200);
  const [sent] = upstream.requests;
  expect(sent?.path).toBe('/model/us.amazon.nova-2-lite-v1%3A0/converse');
  const authorization = sent?.headers.authorization ?? '';
  expect(authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\/aws4_request, /,
  );
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';');
  expect(signed).toEqual(expect.arrayContaining(['host', 'x-amz-date']));
});
