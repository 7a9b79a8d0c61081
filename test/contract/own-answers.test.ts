/** What API Gateway and the server answer by themselves, as the SDKs of both families read it. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewayResponseBody, gatewayResponses, serverResponses } from '../../server/gateway-responses.ts';
import { anthropicSdks, errorsOf } from '../harness/clients/sdk-anthropic.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

/** Stands for API Gateway. */
let front: Upstream;
beforeAll(async () => {
  front = await startUpstream();
});
afterAll(() => front?.close());

const requestId = '01a20456-a181-78b2-9789-e33e409ff94d';

const rows = [...gatewayResponses, ...serverResponses];

function answer(type: string) {
  const row = rows.find((response) => response.type === type);
  if (!row) throw new Error(`No row ${type}.`);
  front.script((_request, response) => {
    const ids = { 'x-request-id': requestId, 'request-id': requestId };
    response.writeHead(row.status, { 'content-type': 'application/json', ...ids, ...row.headers });
    response.end(gatewayResponseBody(row, requestId));
  });
  return row;
}

const types = rows.map(({ type }) => type);

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each(types)('OpenAI’s SDK reads %s', async (type) => {
  const { status, code, errorType, message } = answer(type);
  const client = new OpenAI({ baseURL: `${front.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hello.' }];
  const error = await failureOf(client.chat.completions.create({ model: 'openai/gpt-4.1', messages }));
  expect(error).toBeInstanceOf(OpenAI.APIError);
  expect(error).toMatchObject({ status, code, type: errorType, param: null, requestID: requestId });
  expect((error as Error).message).toContain(message);
});

describe.each(anthropicSdks)('$sdk', ({ client }) => {
  test.each(types)('reads %s', async (type) => {
    const { status, errorType, message } = answer(type);
    const sdk = client({ url: front.url, apiKey: 'none' });
    const asked = {
      model: 'claude-opus-5',
      max_tokens: 10,
      messages: [{ role: 'user' as const, content: 'Hello.' }],
    };
    const error = await failureOf(sdk.messages.create(asked));
    expect(error).toBeInstanceOf(errorsOf(sdk).APIError);
    expect(error).toMatchObject({
      status,
      type: errorType,
      requestID: requestId,
      error: { type: 'error', error: { message }, request_id: requestId },
    });
  });
});
