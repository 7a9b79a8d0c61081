/** What API Gateway and the server answer by themselves, as the SDKs of both families read it. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import {
  gatewayResponseBody,
  gatewayResponses,
  serverResponses,
} from '../../server/http/gateway-responses.ts';
import { anthropicSdks, errorsOf } from '../harness/clients/sdk-anthropic.ts';
import { startUpstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

/** Stands for API Gateway. */
const front = use(startUpstream);

const requestId = '01a20456-a181-78b2-9789-e33e409ff94d';

const rows = [...gatewayResponses, ...serverResponses];

function rowOf(type: string) {
  const row = rows.find((response) => response.type === type);
  if (!row) throw new Error(`No row ${type}.`);
  return row;
}

function answer(type: string) {
  const row = rowOf(type);
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

describe('a function that could not run is asked again after the time that the answer names', () => {
  function refuseOnce(body: object) {
    const { status, headers, ...row } = rowOf('INTEGRATION_FAILURE');
    const asked: number[] = [];
    front.script((_request, response) => {
      asked.push(performance.now());
      const isFirst = asked.length === 1;
      response.writeHead(isFirst ? status : 200, {
        'content-type': 'application/json',
        ...(isFirst && headers),
      });
      response.end(isFirst ? gatewayResponseBody({ status, ...row }, requestId) : JSON.stringify(body));
    });
    return () => (asked[1] ?? 0) - (asked[0] ?? 0);
  }

  test('by OpenAI’s SDK', async () => {
    const message = { role: 'assistant', content: 'Hello.' };
    const waited = refuseOnce({ id: 'c', object: 'chat.completion', choices: [{ index: 0, message }] });
    const client = new OpenAI({ baseURL: `${front.url}/v1`, apiKey: 'none' });
    const messages = [{ role: 'user' as const, content: 'Hello.' }];
    const { choices } = await client.chat.completions.create({ model: 'openai/gpt-4.1', messages });
    expect(choices[0]?.message.content).toBe('Hello.');
    expect(waited()).toBeGreaterThan(900);
  });

  test.each(anthropicSdks)('by $sdk', async ({ client }) => {
    const waited = refuseOnce({ id: 'm', type: 'message', content: [{ type: 'text', text: 'Hello.' }] });
    const sdk = client({ url: front.url, apiKey: 'none' }, { maxRetries: 2 });
    const messages = [{ role: 'user' as const, content: 'Hello.' }];
    const answered = await sdk.messages.create({ model: 'claude-opus-5', max_tokens: 10, messages });
    expect(answered).toMatchObject({ content: [{ text: 'Hello.' }] });
    expect(waited()).toBeGreaterThan(900);
  });
});
