/** Long words of a provider, in every field of an answer: neither the ledger nor the log holds them. */
import { expect, test } from 'vitest';
import { useAttackedGateway } from './attacked-gateway.ts';
import { head } from './hostile-upstream.ts';

const { upstream, gateway } = useAttackedGateway('OPENAI');

const mark = 'LONGWORD';
const long = mark.repeat(20_000);

const answer = {
  id: long,
  object: long,
  model: long,
  system_fingerprint: long,
  service_tier: long,
  citations: [`https://a.example/${long}`],
  choices: [
    {
      index: 0,
      finish_reason: long,
      message: {
        role: long,
        content: long,
        tool_calls: [{ id: long, type: long, function: { name: long, arguments: `{"a":"${long}"}` } }],
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: long } }],
        reasoning_details: [{ type: 'reasoning.text', text: long, format: long, id: long }],
      },
      logprobs: { content: [{ token: long, logprob: 0, bytes: null, top_logprobs: [] }] },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, [long]: 3, note: long },
};

const failure = { error: { message: long, type: long, code: long, param: long } };

test.each([
  ['an answer', '200 OK', answer, 200],
  ['an error', '400 Bad Request', failure, 400],
])('of %s', async (_, status, body, expected) => {
  upstream.script(() => [head('application/json', status), JSON.stringify(body)]);
  const before = gateway.output().length;
  const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'openai/gpt-4.1-mini', messages: [{ role: 'user', content: 'Hello.' }] }),
  });
  expect(response.status).toBe(expected);
  const text = await response.text();
  if (expected !== 200) expect(text.length).toBeLessThan(3_000);
  const id = response.headers.get('x-request-id') ?? '';
  let record = '';
  for (let tries = 0; tries < 50 && record === ''; tries++) {
    const found = await fetch(`${gateway.baseUrl}/usage/requests/${id}`, { headers });
    if (found.ok) record = await found.text();
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(record).toContain(id);
  expect(record.length).toBeLessThan(4_000);
  expect(record).not.toContain(mark);
  const printed = gateway.output().slice(before);
  expect(printed).not.toContain(mark);
  expect(printed.split('\n').filter((line) => line.length > 8_192)).toEqual([]);
});
