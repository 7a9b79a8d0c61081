/** Error statuses in the OpenAI Responses protocol, and the names of fields. */
import { describe, expect, test } from 'vitest';
import { protocol } from './frames.ts';

const read = (status: number, error: object) =>
  protocol.readFailure({ status, headers: {}, body: JSON.stringify({ error }) });

describe('a failure', () => {
  test.each([
    ['max_output_tokens', 'max_completion_tokens'],
    ['reasoning.effort', 'reasoning_effort'],
    ['reasoning.summary', 'reasoning_summary'],
    ['text.format', 'response_format'],
    ['text.format.schema', 'response_format.json_schema.schema'],
    ['text.verbosity', 'verbosity'],
    ['tools[1].parameters', 'tools[1].parameters'],
    ['input', 'messages'],
    ['input[3].content[0].image_url', 'messages'],
    ['top_p', 'top_p'],
    ['input_size', 'input_size'],
  ])('of %s names %s', (param, name) => {
    const error = { message: 'No.', type: 'invalid_request_error', code: 'unsupported_value', param };
    expect(read(400, error)).toMatchObject({
      kind: 'upstream_bad_request',
      upstreamParam: name,
      code: 'unsupported_value',
    });
  });

  test('means the same as in the chat protocol', () => {
    expect(read(400, { message: 'Too long', code: 'context_length_exceeded' }).kind).toBe(
      'upstream_context_length',
    );
    expect(read(401, { message: 'No', code: 'invalid_api_key' }).kind).toBe('upstream_credentials');
    expect(read(429, { message: 'Try again in 2s', code: 'rate_limit_exceeded' }).retryAfterMs).toBe(2000);
    expect(protocol.readFailure({ status: 502, headers: {}, body: '<html>' }).kind).toBe('upstream_failed');
  });

  test('of encrypted content shows none of it', () => {
    const content = `gAAAAABpPDIVOKrsHNZ0Gws${'oEKA1'.repeat(30)}`;
    const message = `The encrypted content ${content} could not be verified.`;
    const error = read(400, { message, code: 'invalid_encrypted_content', param: null });
    expect(error.code).toBe('invalid_encrypted_content');
    expect(error.message).not.toContain('gAAAAABpPDIVOKrs');
  });
});
