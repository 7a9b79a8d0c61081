/** A summary that is of no use: the caller gets an error, and what it has cost is in the ledger. */
import { expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { answerJson } from '../../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('DEEPSEEK');

test('each call of the model is paid for', async () => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 16, total_tokens: 1_016 };
  const message = { role: 'assistant', content: 'The beginning of' };
  const choices = [{ index: 0, message, finish_reason: 'length' }];
  upstream.script(
    answerJson({ id: 'one', object: 'chat.completion', created: 1, model: 'any', choices, usage }),
  );
  const body = { model: 'deepseek/deepseek-v4-flash', input: 'Hello.', max_output_tokens: 16 };
  const response = await gateway.post('/v1/responses/compact', body);
  expect(response.status).toBe(500);
  const calls = upstream.requests.length;
  expect(calls).toBeGreaterThan(0);
  const ledger = openLedger();
  const records = await ledger.recordsOf('local').finally(() => ledger.close());
  const attempts = Array(calls).fill({ usage: { promptTokens: 1_000, completionTokens: 16 } });
  expect(records.at(-1)).toMatchObject({ status: 500, attempts });
  expect(records.at(-1)?.cost).toBeGreaterThan(0);
});
