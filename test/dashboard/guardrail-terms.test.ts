/** The text in which a person edits a guardrail. */
import { expect, test } from 'vitest';
import { readObject } from '../../dashboard/pages/json-text.ts';
import { writeTerms } from '../../dashboard/pages/tenants/guardrail-terms.ts';
import { guardrailsPutInput } from '../../lib/admin/guardrails/schema.ts';

const terms = {
  always: true,
  scan: 'new',
  output: 'window',
  answer: 'error',
  rules: [{ id: 'names', kind: 'words', words: ['</textarea><b>'], on: ['input'], action: 'block' }],
} as const;

test('has what the admin API takes, of one that exists and of a new one', () => {
  const rules = terms.rules.map((rule) => ({ ...rule, on: [...rule.on], words: [...rule.words] }));
  const given = { object: 'guardrail', id: 'house', tenant: 'acme', version: 3, etag: '"1"' } as const;
  const text = writeTerms({ ...terms, rules, ...given });
  expect(readObject(text, 'rules')).toEqual(terms);
  for (const one of [text, writeTerms(null)])
    expect(guardrailsPutInput.safeParse(readObject(one, 'rules')).success).toBe(true);
});

test.each(['', '{', '[]', 'null', '"a"'])('is refused at its field where it is no object: %j', (text) => {
  expect(() => readObject(text, 'rules')).toThrow(expect.objectContaining({ param: 'rules' }));
});
