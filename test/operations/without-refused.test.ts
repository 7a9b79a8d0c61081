/** What is left out on one more try after a provider refused it, and what is not. */
import { describe, expect, test } from 'vitest';
import { type ErrorDetails, GatewayError } from '../../lib/core/errors.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  ReasoningDetail,
} from '../../lib/core/generation/request.ts';
import { withoutRefused } from '../../lib/operations/without-refused.ts';
import { testRequest } from '../harness/matrix/model.ts';
import { assistant, user } from '../protocols/requests.ts';

const refusal = (message: string, details: ErrorDetails = {}) =>
  new GatewayError('upstream_bad_request', message, details);

/** What was sent each time, and what the caller is told; the first call is refused. */
async function retry(request: GenerationRequest, error: GatewayError) {
  const sent: GenerationRequest[] = [];
  const { changes } = await withoutRefused({ request, changes: [] }, async (asked) => {
    sent.push(asked);
    if (sent.length === 1) throw error;
  });
  return { sent, changes: changes.map(({ param, action, before }) => [param, action, before]) };
}

describe('a parameter', () => {
  test.each<[keyof GenerationParameters, GenerationParameters, GatewayError]>([
    ['top_p', { top_p: 0.5 }, refusal('No.', { code: 'unsupported_parameter', upstreamParam: 'top_p' })],
    [
      'top_p',
      { top_p: 0.5 },
      refusal("Unsupported parameter: 'top_p' is not supported.", { upstreamParam: 'top_p' }),
    ],
    [
      'reasoning_summary',
      { reasoning_summary: 'auto' },
      refusal('Your organization must be verified to generate reasoning summaries.', {
        code: 'unsupported_value',
        upstreamParam: 'reasoning_summary',
      }),
    ],
    [
      'reasoning_effort',
      { reasoning_effort: 'low' },
      refusal("Unsupported parameter: 'reasoning.effort' is not supported.", {
        upstreamParam: 'reasoning_effort',
      }),
    ],
  ])('%s that is named as unsupported is left out', async (param, parameters, error) => {
    const { sent, changes } = await retry(testRequest(parameters), error);
    expect(sent[1]?.parameters).toEqual({});
    expect(changes).toEqual([[param, 'strip', parameters[param]]]);
  });

  test('that the answer hangs on is not left out', async () => {
    const error = refusal('No.', { code: 'unsupported_parameter', upstreamParam: 'response_format' });
    const request = testRequest({ response_format: { type: 'json_object' } });
    await expect(retry(request, error)).rejects.toBe(error);
  });

  test('that is not set is no reason to ask again', async () => {
    const error = refusal('No.', { code: 'unsupported_parameter', upstreamParam: 'top_p' });
    await expect(retry(testRequest({ seed: 1 }), error)).rejects.toBe(error);
  });
});

describe('encrypted reasoning', () => {
  const detail: ReasoningDetail = { type: 'reasoning.encrypted', data: 'gAAA', format: 'x', index: 0 };
  const conversation = testRequest(
    {},
    {
      messages: [
        user('One'),
        assistant('', { reasoningDetails: [detail, detail] }),
        user('Two'),
        assistant(''),
        user('Three'),
        assistant('', { reasoningDetails: [detail] }),
        user('Four'),
      ],
    },
  );

  test.each([
    refusal('No.', { code: 'invalid_encrypted_content' }),
    refusal('The encrypted content gAAA...DQ== could not be verified.'),
    refusal('Could not decrypt the provided encrypted_content.'),
  ])('that the provider cannot read is left out of every turn', async (error) => {
    const { sent, changes } = await retry(conversation, error);
    expect(JSON.stringify(sent[1])).not.toContain('gAAA');
    expect(sent[1]?.messages).toHaveLength(conversation.messages.length);
    expect(changes).toEqual([
      ['messages.1.reasoning_details', 'strip', ['reasoning.encrypted', 'reasoning.encrypted']],
      ['messages.5.reasoning_details', 'strip', ['reasoning.encrypted']],
    ]);
  });

  test('that nobody sent is no reason to ask again', async () => {
    const error = refusal('No.', { code: 'invalid_encrypted_content' });
    await expect(retry(testRequest(), error)).rejects.toBe(error);
  });

  test('is sent as it was where something else is refused', async () => {
    const error = refusal('Wrong role.');
    await expect(retry(conversation, error)).rejects.toBe(error);
  });
});
