/** Which field of a request a validation error names. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { validate } from '../../lib/http/validate.ts';

const schema = z.strictObject({
  model: z.string().check(z.minLength(1), z.maxLength(5)),
  count: z.optional(z.int().check(z.gte(1), z.lte(9))),
  kind: z.optional(z.enum(['a', 'b'])),
  only: z.optional(z.literal('one')),
  list: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(2))),
  labels: z.optional(z.record(z.string().check(z.maxLength(3)), z.string())),
  input: z.optional(z.union([z.string(), z.array(z.strictObject({ text: z.string() }))])),
  choice: z.optional(z.union([z.boolean(), z.literal('x')])),
  own: z.optional(z.string().check(z.refine((text) => text !== 'no', { error: 'must be yes' }))),
  part: z.optional(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('one'), a: z.int() }),
      z.strictObject({ type: z.literal('two') }),
    ]),
  ),
});

function failure(value: unknown): { readonly param: string | null; readonly message: string } {
  try {
    validate(schema, value);
  } catch (error) {
    expect(error).toMatchObject({ kind: 'invalid_request', status: 400 });
    return error as { param: string | null; message: string };
  }
  throw new Error('It is valid.');
}

test('a valid value is returned as the schema reads it', () => {
  expect(validate(schema, { model: 'm', list: ['a'], input: [{ text: 'b' }] })).toEqual({
    model: 'm',
    list: ['a'],
    input: [{ text: 'b' }],
  });
});

const model = 'm';

test.each<[string, unknown, string | null, RegExp]>([
  ['a missing field', {}, 'model', /model/],
  ['a value of another type', { model: 1 }, 'model', /string/],
  ['an empty text', { model: '' }, 'model', /at least 1 char/],
  ['a long text', { model: 'longer' }, 'model', /at most 5 char/],
  ['a small number', { model, count: 0 }, 'count', /at least 1\b/],
  ['a large number', { model, count: 10 }, 'count', /at most 9\b/],
  ['a fraction', { model, count: 1.5 }, 'count', /an integer/],
  ['an unknown value', { model, kind: 'c' }, 'kind', /one of 'a', 'b'/],
  ['another value than the only one', { model, only: 'two' }, 'only', /'one'/],
  ['an empty list', { model, list: [] }, 'list', /at least 1 element\b/],
  ['a long list', { model, list: ['a', 'b', 'c'] }, 'list', /at most 2 elements/],
  ['an element', { model, list: ['a', 1] }, 'list.1', /string/],
  ['a name that is too long', { model, labels: { long_name: 'a' } }, 'labels.long_name', /at most 3 char/],
  ['a value in a record', { model, labels: { a: 1 } }, 'labels.a', /string/],
  ['an unknown field', { model, temperatur: 1 }, 'temperatur', /temperatur/],
  ['an unknown field inside', { model, input: [{ text: 'a', more: 1 }] }, 'input.0.more', /more/],
  ['a union that no branch fits', { model, input: 1 }, 'input', /string or an array/],
  ['a union, by the branch that got further', { model, input: [{ text: 1 }] }, 'input.0.text', /string/],
  ['a union of a type and a value', { model, choice: 1 }, 'choice', /a boolean or '?'x'/],
  ['an unknown variant', { model, part: { type: 'three' } }, 'part.type', /'one', 'two'/],
  ['a field of a variant', { model, part: { type: 'one', a: 'b' } }, 'part.a', /number/],
  ["a schema's own words", { model, own: 'no' }, 'own', /must be yes/],
  ['no object', 'text', null, /object/],
])('%s', (_, value, param, message) => {
  const error = failure(value);
  expect(error.param).toBe(param);
  expect(error.message).toMatch(message);
});

test('a long field name is cut in the path', () => {
  expect(failure({ model, ['n'.repeat(100)]: 1 }).param).toBe('n'.repeat(64));
});
