/** LangChain's client for OpenAI: a question and its answer, streamed or not. */
import { AIMessageChunk, HumanMessage, SystemMessage, type UsageMetadata } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { useLangchain } from '../../harness/clients/sdk-langchain.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const model = useLangchain();

const outputTokens = ({ usage_metadata: usage }: { usage_metadata?: UsageMetadata | undefined }) =>
  usage?.output_tokens;

describe.each(providerRows)('$provider', (row) => {
  test('answers a question', async () => {
    const answer = await model(row.model, { temperature: 0.5, maxTokens: 100 }).invoke([
      new SystemMessage('Be brief.'),
      new HumanMessage('Say zebra.'),
    ]);
    expect(answer.text).toContain('zebra');
    expect(answer.response_metadata.finish_reason).toBe('stop');
    expect(outputTokens(answer)).toBeGreaterThan(0);
  });

  test('streams its answer in chunks', async () => {
    const pieces = await Array.fromAsync(await model(row.model).stream('Say zebra.'));
    const whole = pieces.reduce((one, other) => one.concat(other), new AIMessageChunk(''));
    expect(pieces.filter(({ text }) => text !== '').length).toBeGreaterThan(1);
    expect(whole.text).toContain('zebra');
    expect(whole.response_metadata.finish_reason).toBe('stop');
    expect(outputTokens(whole)).toBeGreaterThan(0);
  });

  test('continues a conversation', async () => {
    const first = await model(row.model).invoke('Say one.');
    const second = await model(row.model).invoke([
      new HumanMessage('Say one.'),
      first,
      new HumanMessage('Say two.'),
    ]);
    expect(second.text).toContain('two');
  });
});
