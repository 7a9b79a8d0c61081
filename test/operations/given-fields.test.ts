/** Objects of which only the given fields are read: the same result as zod's, whatever is given. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseSchema } from '../../lib/core/formats/parse-schema.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { givenFields } from '../../lib/operations/given-fields.ts';

const fields = {
  name: z.string().check(z.minLength(1)),
  count: z.nullish(z.int()),
  any: z.unknown(),
  list: z.optional(z.array(z.object({ id: z.string(), more: z.nullish(z.boolean()) }))),
  of: z.nullish(z.union([z.string(), z.literal(1)])),
};

const fitting = fc.record(
  {
    name: fc.string(),
    count: fc.option(fc.integer()),
    any: fc.json(),
    list: fc.array(fc.record({ id: fc.string(), more: fc.constantFrom(null, true), other: fc.boolean() })),
    of: fc.oneof(fc.string(), fc.constantFrom(1, 2, null)),
    __proto__: fc.constant(undefined),
  },
  { requiredKeys: [] },
);
const given = fc.oneof(
  fitting,
  fc
    .tuple(
      fitting,
      fc.dictionary(fc.constantFrom(...Object.keys(fields), 'else', 'constructor'), fc.jsonValue()),
    )
    .map(([one, other]) => ({ ...one, ...other })),
  fc.jsonValue(),
);

const resultOf = (schema: z.core.$ZodType, value: unknown) => {
  const { success, data, error } = parseSchema(schema, value);
  return success ? { data, keys: Object.keys(data as object) } : error.issues;
};

test.each([
  ['left out', z.object],
  ['refused', z.strictObject],
])('where unknown fields are %s', (_, make) => {
  const own = givenFields(make(fields));
  fc.assert(
    fc.property(given, (value) => {
      expect(resultOf(own, value)).toEqual(resultOf(make(fields), value));
    }),
    { numRuns: 500 },
  );
});

test('in an object with a check of its own', () => {
  const checked = () => z.object(fields).check(z.refine(({ name }) => name !== 'no', 'is not allowed'));
  const own = givenFields(checked());
  for (const value of [{ name: 'yes', any: 1 }, { name: 'no', any: 1 }, {}]) {
    expect(resultOf(own, value)).toEqual(resultOf(checked(), value));
  }
});

test('in a chat request', () => {
  const all = z.strictObject(chatSchema.def.shape);
  const messages = [{ role: 'user', content: 'Hi.', unknown: 1 }];
  const bodies = [
    { model: 'a/b', messages, temperature: 0.5, stop: null },
    { model: 'a/b', messages: [...messages, { role: 'assistant' }], n: 0 },
    { model: 'a/b', messages, temprature: 1 },
    { model: 'a/b', messages: [{ role: 'user' }] },
    { messages },
    [],
  ];
  for (const body of bodies) expect(resultOf(chatSchema, body)).toEqual(resultOf(all, body));
});
