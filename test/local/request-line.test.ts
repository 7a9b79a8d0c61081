/** The line that a local gateway writes to a terminal for each request. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { formatRequest } from '../../local/terminal/request-line.ts';

const head = { method: 'POST', path: '/v1/chat/completions' };
const now = new Date(2026, 10, 22, 9, 5, 3);
const line = (fields: object) => stripVTControlCharacters(formatRequest(head, fields, now));

test('names time, method, path, status, model, provider, tokens and duration', () => {
  const fields = {
    level: 'INFO',
    message: 'request',
    status: 200,
    model: 'openai/gpt-5.5',
    provider: 'azure',
    prompt_tokens: 12,
    completion_tokens: 34,
    total_ms: 241.6,
  };
  expect(line(fields)).toBe(
    '09:05:03  POST /v1/chat/completions  200  openai/gpt-5.5  via azure  12 in, 34 out  242 ms',
  );
});

test('prints no control characters of a model id, and at most 100 characters', () => {
  expect(line({ status: 404, model: `a\u001b[2J\r\nb${'c'.repeat(500)}` })).toBe(
    `09:05:03  POST /v1/chat/completions  404  a�[2J��b${'c'.repeat(92)}`,
  );
});

test('leaves out what is not known, and names the error', () => {
  expect(line({ status: 401, error: 'authentication', error_code: 'invalid_api_key', total_ms: 3 })).toBe(
    '09:05:03  POST /v1/chat/completions  401  invalid_api_key  3 ms',
  );
  expect(line({ status: 503, error: 'upstream_timeout', model: 'openai/gpt-5.5', total_ms: 30_000 })).toBe(
    '09:05:03  POST /v1/chat/completions  503  upstream_timeout  openai/gpt-5.5  30000 ms',
  );
  expect(line({ status: 404 })).toBe('09:05:03  POST /v1/chat/completions  404');
});
