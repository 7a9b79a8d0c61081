/** Anthropic's SDK: its error classes, what they carry, and what it tries again. */
import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { bothGenerations, errorsOf } from '../../harness/clients/sdk-anthropic.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { answerJson } from '../../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('ANTHROPIC');

const request = {
  model: 'anthropic/claude-opus-5',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

async function failure(asked: Promise<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  return asked.then(
    () => {
      throw new Error('The request should have failed.');
    },
    (error) => error,
  );
}

const answerFailure = (status: number, type: string, message: string, headers: Record<string, string> = {}) =>
  answerJson({ type: 'error', error: { type, message }, request_id: 'req_upstream' }, status, headers);

describe.each(bothGenerations)('$sdk', ({ client }) => {
  test('an unknown key is an AuthenticationError', async () => {
    const sdk = client({ url: gateway.url, apiKey: `${gateway.apiKey.slice(0, -2)}xx` });
    const error = await failure(sdk.messages.create(request));
    expect(error).toBeInstanceOf(errorsOf(sdk).AuthenticationError);
    expect(error).toMatchObject({ type: 'authentication_error', requestID: expect.any(String) });
    // Without it, Claude Code repeats the request for minutes before it shows the message.
    expect(error.headers?.get('x-should-retry')).toBe('false');
    await expect(
      failure(sdk.messages.countTokens({ model: request.model, messages: request.messages })),
    ).resolves.toBeInstanceOf(errorsOf(sdk).AuthenticationError);
  });

  test('an unknown model is a NotFoundError that names similar ones', async () => {
    const sdk = client(gateway);
    const error = await failure(sdk.messages.create({ ...request, model: 'anthropic/claude-opus-55' }));
    expect(error).toBeInstanceOf(errorsOf(sdk).NotFoundError);
    expect(error.type).toBe('not_found_error');
    expect(error.message).toContain('anthropic/claude-opus-5');
    await expect(failure(sdk.models.retrieve('nothing'))).resolves.toBeInstanceOf(
      errorsOf(sdk).NotFoundError,
    );
  });

  test.each([
    ['max_tokens', { max_tokens: undefined }],
    ['messages.0.content.0.source', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    ['tools.0.name', { tools: [{ input_schema: { type: 'object' } }] }],
  ])('a wrong %s is a BadRequestError that names it', async (path, fields) => {
    const sdk = client(gateway);
    const error = await failure(sdk.messages.create({ ...request, ...(fields as object) }));
    expect(error).toBeInstanceOf(errorsOf(sdk).BadRequestError);
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toContain(path);
  });

  test('a rate limit is a RateLimitError that says when to try again', async () => {
    upstream.script(answerFailure(429, 'rate_limit_error', 'Too many.', { 'retry-after': '40' }));
    const sdk = client(gateway);
    const error = await failure(sdk.messages.create(request));
    expect(error).toBeInstanceOf(errorsOf(sdk).RateLimitError);
    expect(error.type).toBe('rate_limit_error');
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
    expect(error.requestID).toBeTruthy();
    expect(error.headers?.get('request-id')).toBe(error.headers?.get('x-request-id'));
  });

  test('an overloaded provider is an InternalServerError of status 529', async () => {
    upstream.script(answerFailure(529, 'overloaded_error', 'Overloaded'));
    const sdk = client(gateway);
    const error = await failure(sdk.messages.create(request));
    expect(error).toBeInstanceOf(errorsOf(sdk).InternalServerError);
    expect(error).toMatchObject({ status: 529, type: 'overloaded_error' });
  });

  test('a failure in the middle of a stream is an APIError', async () => {
    const events = [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-5',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Once' } },
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ];
    upstream.script((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
    const sdk = client(gateway);
    const texts: string[] = [];
    const stream = sdk.messages.stream(request).on('text', (text) => texts.push(text));
    const error = await failure(stream.finalMessage());
    expect(texts).toEqual(['Once']);
    expect(error).toBeInstanceOf(errorsOf(sdk).APIError);
    expect(error.error).toMatchObject({ error: { type: 'overloaded_error' } });
  });

  test('the SDK tries an overloaded provider again', async () => {
    upstream.script((...given) => {
      const fails = upstream.requests.length === 1;
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-5',
        content: [{ type: 'text', text: 'Here again.' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 9, output_tokens: 3 },
      };
      const answer = fails ? answerFailure(429, 'rate_limit_error', 'Too many.') : answerJson(message);
      return answer(...given);
    });
    const message = await client(gateway, { maxRetries: 2 }).messages.create(request);
    expect(message.content).toMatchObject([{ text: 'Here again.' }]);
  });
});

test('the version 2026-10-21 takes no sampling parameters, and 2023-06-01 does', async () => {
  const [newest, earlier] = bothGenerations.map(({ client }) => client(gateway));
  if (!newest || !earlier) throw new Error('There are two generations.');
  const sampled = { ...request, model: 'openai/gpt-4.1', temperature: 0.5 };
  const error = await failure(newest.messages.create(sampled));
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' });
  expect(error.message).toContain('temperature');
  await expect(earlier.messages.create(sampled)).resolves.toMatchObject({ stop_reason: 'end_turn' });
});
