/** Error codes, statuses and report objects that mean something at one host only: they are in its row. */
import { describe, expect, test } from 'vitest';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import { openaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { decodeFrames, errorOf, toFrames } from '../protocols/answer.ts';

function protocolOf(name: string): GenerationProtocol {
  const protocol = providers.get(name)?.generation?.protocol;
  if (!protocol) throw new Error(`There is no provider ${name}.`);
  return protocol;
}

const error = (code: unknown) => ({ error: { message: 'It failed', type: 'some_error', param: null, code } });
const report = (status_code: number) => ({
  choices: null,
  base_resp: { status_code, status_msg: 'It failed' },
});

describe('a status or code of its own', () => {
  test.each([
    ['zai', 429, error('1113'), 'upstream_quota', 'upstream_rate_limited'],
    ['zai', 400, error('1301'), 'upstream_content_policy', 'upstream_bad_request'],
    ['zai', 400, error('1302'), 'upstream_rate_limited', 'upstream_bad_request'],
    ['zai', 400, error('1303'), 'upstream_rate_limited', 'upstream_bad_request'],
    ['zai', 400, error('1214'), 'upstream_bad_request', 'upstream_bad_request'],
    ['groq', 498, {}, 'upstream_overloaded', 'upstream_bad_request'],
    ['minimax', 400, report(1008), 'upstream_quota', 'upstream_bad_request'],
  ])('of %s: %i %j is %s, and %s elsewhere', (name, status, body, own, elsewhere) => {
    const failure = { status, headers: {}, body: JSON.stringify(body) };
    expect(protocolOf(name).readFailure(failure)).toMatchObject({ kind: own, upstreamStatus: status });
    expect(openaiChat.readFailure(failure)).toMatchObject({ kind: elsewhere });
  });
});

describe('a failure that MiniMax reports in a successful answer', () => {
  const minimax = protocolOf('minimax');

  test.each([
    [1000, 'upstream_failed'],
    [1002, 'upstream_rate_limited'],
    [1004, 'upstream_credentials'],
    [1008, 'upstream_quota'],
    [1026, 'upstream_content_policy'],
    [1027, 'upstream_content_policy'],
    [1039, 'upstream_rate_limited'],
    [2013, 'upstream_bad_request'],
    [2049, 'upstream_credentials'],
  ])('with code %i is %s, in a body and in a stream', (code, kind) => {
    expect(errorOf(() => minimax.decodeBody(report(code)))).toMatchObject({ kind });
    expect(errorOf(() => decodeFrames(minimax, toFrames([report(code)])))).toMatchObject({ kind });
  });

  test('carries its message where the caller can act on it', () => {
    expect(errorOf(() => minimax.decodeBody(report(2013)))).toMatchObject({ message: 'It failed' });
  });

  test('is none with code 0', () => {
    const choices = [{ index: 0, message: { content: 'Yes.' }, finish_reason: 'stop' }];
    const body = { choices, base_resp: { status_code: 0, status_msg: '' } };
    expect(minimax.decodeBody(body)).toContainEqual({ type: 'text', choice: 0, text: 'Yes.' });
  });
});
