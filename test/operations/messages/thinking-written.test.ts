/** Thinking blocks of an answer: Claude's own signatures, and what is shown beside them. */
import { expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { claudeFormat, openaiFormat } from '../../../lib/core/generation/reasoning-format.ts';
import type { ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { openSignature } from '../../../lib/operations/messages/signature.ts';
import { counted, finish, reasoning, start, text, written } from './writing.ts';

const detailed = (detail: ReasoningDetail): GenerationEvent => ({
  type: 'reasoning-detail',
  choice: 0,
  detail,
});
const end = [finish(), counted];

const signed = detailed({
  type: 'reasoning.text',
  text: 'I look.',
  signature: 'EqQB',
  format: claudeFormat,
  index: 0,
});
const redacted = detailed({ type: 'reasoning.encrypted', data: 'EmwK', format: claudeFormat, index: 1 });

const ofClaude = [start, reasoning('I '), reasoning('look.'), signed, redacted, text('Done.'), ...end];

test.each([
  ['shown', 'all'],
  ['to be hidden, which Claude checks with the signature', 'signatures'],
] as const)("Claude's thinking has its own signature, with the text %s", async (_, thinking) => {
  const { content } = await written(ofClaude, { thinking });
  expect(content).toEqual([
    { type: 'thinking', thinking: 'I look.', signature: 'EqQB' },
    { type: 'redacted_thinking', data: 'EmwK' },
    { type: 'text', text: 'Done.' },
  ]);
});

test("Claude's thinking without text keeps its block", async () => {
  const unseen = detailed({
    type: 'reasoning.text',
    text: '',
    signature: 'EqQB',
    format: claudeFormat,
    index: 0,
  });
  const { content } = await written([start, unseen, text('Done.'), ...end]);
  expect(content[0]).toEqual({ type: 'thinking', thinking: '', signature: 'EqQB' });
});

test("what Claude did not sign gets the gateway's signature, which does not claim to be Claude's", async () => {
  const unsigned = detailed({ type: 'reasoning.text', text: 'I look.', format: claudeFormat, index: 0 });
  const { content } = await written([start, reasoning('I look.'), unsigned, text('Done.'), ...end]);
  expect(content[0]).toMatchObject({ type: 'thinking', thinking: 'I look.' });
  expect(openSignature(String(content[0]?.signature))).toMatchObject({ format: 'acme', details: [] });
});

test('hidden thinking without details is kept in the signature', async () => {
  const { content } = await written([start, reasoning('One. '), reasoning('Two.'), text('Done.'), ...end], {
    thinking: 'signatures',
  });
  expect(content[0]?.thinking).toBe('');
  expect(openSignature(String(content[0]?.signature))?.unseen).toBe('One. Two.');
});

test('hidden thinking with details is not kept twice', async () => {
  const summary = detailed({
    type: 'reasoning.summary',
    summary: 'One.',
    format: openaiFormat,
    index: 0,
    id: 'rs_1',
  });
  const { content } = await written([start, reasoning('One.'), summary, text('Done.'), ...end], {
    thinking: 'signatures',
  });
  const encoded = openSignature(String(content[0]?.signature));
  expect([encoded?.unseen, encoded?.details]).toEqual([
    undefined,
    [expect.objectContaining({ summary: 'One.' })],
  ]);
});

test('an answer that ended while it thought is its thinking', async () => {
  const { content } = await written([start, reasoning('One.'), ...end]);
  expect(content.map(({ type }) => type)).toEqual(['thinking']);
});
