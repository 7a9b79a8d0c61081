/** What is left out of a request that a provider has rejected, and what is not. */
import { describe, expect, test } from 'vitest';
import { type ErrorDetails, GatewayError } from '../../../lib/core/errors/errors.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  ReasoningDetail,
} from '../../../lib/core/generation/request.ts';
import { withoutRejected } from '../../../lib/pipeline/generation/without-rejected.ts';
import { testRequest } from '../../harness/matrix/model.ts';
import { assistant, user } from '../../protocols/requests.ts';

const refusal = (message: string, details: ErrorDetails = {}) =>
  new GatewayError('upstream_bad_request', message, details);

/** What is sent instead, and the records of the changes. */
function amend(request: GenerationRequest, error: GatewayError) {
  const modified = withoutRejected(error, request);
  return {
    sent: modified?.request,
    changes: modified?.changes.map(({ param, action, before }) => [param, action, before]),
  };
}

describe('a parameter', () => {
  test.each<[keyof GenerationParameters, GenerationParameters, GatewayError]>([
    [
      'top_p',
      { top_p: 0.5 },
      refusal('No.', { providerCode: 'unsupported_parameter', upstreamParam: 'top_p' }),
    ],
    [
      'top_p',
      { top_p: 0.5 },
      refusal("Unsupported parameter: 'top_p' is not supported.", { upstreamParam: 'top_p' }),
    ],
    [
      'reasoning_summary',
      { reasoning_summary: 'auto' },
      refusal('Your organization must be verified to generate reasoning summaries.', {
        providerCode: 'unsupported_value',
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
  ])('%s that is named as unsupported is left out', (param, parameters, error) => {
    const { sent, changes } = amend(testRequest(parameters), error);
    expect(sent?.parameters).toEqual({});
    expect(changes).toEqual([[param, 'strip', parameters[param]]]);
  });

  test('that the answer depends on is not left out', () => {
    const error = refusal('No.', { providerCode: 'unsupported_parameter', upstreamParam: 'response_format' });
    const request = testRequest({ response_format: { type: 'json_object' } });
    expect(amend(request, error).sent).toBeUndefined();
  });

  test('that is not set is no reason to send the request again', () => {
    const error = refusal('No.', { providerCode: 'unsupported_parameter', upstreamParam: 'top_p' });
    expect(amend(testRequest({ seed: 1 }), error).sent).toBeUndefined();
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
    refusal('No.', { providerCode: 'invalid_encrypted_content' }),
    refusal('The encrypted content gAAA...DQ== could not be verified.'),
    refusal('Could not decrypt the provided encrypted_content.'),
    refusal('Reasoning input items can only be provided to a reasoning or computer use model.'),
    refusal('Corrupted thought signature.'),
    refusal('Invalid thought signature.'),
    refusal(
      'Unable to submit request because Thought signature is not valid.. Learn more: https://example.com',
    ),
  ])('that the provider cannot read is left out of every turn', (error) => {
    const { sent, changes } = amend(conversation, error);
    expect(JSON.stringify(sent)).not.toContain('gAAA');
    expect(sent?.messages).toHaveLength(conversation.messages.length);
    expect(changes).toEqual([
      ['messages.1.reasoning_details', 'strip', ['reasoning.encrypted', 'reasoning.encrypted']],
      ['messages.5.reasoning_details', 'strip', ['reasoning.encrypted']],
    ]);
  });

  test('that was not sent is no reason to send the request again', () => {
    const error = refusal('No.', { providerCode: 'invalid_encrypted_content' });
    expect(amend(testRequest(), error).sent).toBeUndefined();
  });

  test('is kept where something else is rejected', () => {
    const error = refusal('Wrong role.');
    expect(amend(conversation, error).sent).toBeUndefined();
  });
});
