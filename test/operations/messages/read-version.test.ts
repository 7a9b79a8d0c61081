/** The versions of Anthropic's API: what a caller of each may send. */
import { describe, expect, test } from 'vitest';
import { families, useFamilies } from './watched-families.ts';

const { ask } = useFamilies();

const old = { 'anthropic-version': '2023-06-01' };
const later = { 'anthropic-version': '2026-10-21' };
const text = { type: 'text', text: 'Roses.', citations: [{ type: 'char_location' }] };
const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Tulips.' } };
const user = { role: 'user', content: 'Hello.' };

describe.each([families.chat, 'anthropic/claude-haiku-4-5'])('%s', (model) => {
  test.each([
    ['temperature', { temperature: 1 }],
    ['top_p', { top_p: 0.9 }],
    ['top_k', { top_k: 5 }],
  ])('%s is for the first version alone', async (param, body) => {
    for (const headers of [{}, old]) expect((await ask(model, body, headers)).status).toBe(200);
    const { status, error } = await ask(model, body, later);
    expect([status, error.param]).toEqual([400, param]);
    expect(error.message).toBe(`${param}: Extra inputs are not permitted`);
  });

  test.each([
    ['messages.1.content.0', [user, { role: 'assistant', content: [document] }, user]],
    ['messages.0.content.0.citations', [{ role: 'user', content: [text] }]],
    [
      'messages.0.content.0.content.0.citations',
      [{ role: 'user', content: [{ type: 'search_result', source: 'a', title: 'b', content: [text] }] }],
    ],
  ])('%s is for the first version alone', async (param, messages) => {
    expect((await ask(model, { messages }, old)).status).toBe(200);
    const { status, error } = await ask(model, { messages }, later);
    expect([status, error.param]).toEqual([400, param]);
  });

  test('an unknown version is refused, with those that are known', async () => {
    const { status, error } = await ask(model, {}, { 'anthropic-version': '2024-01-01' });
    expect([status, error.param]).toEqual([400, 'anthropic-version']);
    expect(error.message).toContain('2023-06-01 and 2026-10-21');
  });
});
