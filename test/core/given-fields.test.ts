/** Objects of which only the given fields are read: the same result as zod's, whatever is given. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { objectOf, strictObjectOf } from '../../lib/core/formats/given-fields.ts';
import { parseSchema } from '../../lib/core/formats/parse-schema.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';

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
  return success ? { data, keys: Object.keys(data as object).toSorted() } : error.issues;
};

/** The same fields, of which some are built when they are given. */
const later = {
  ...fields,
  count: () => fields.count,
  list: () => fields.list,
  of: () => fields.of,
};

test.each([
  ['left out', z.object, objectOf],
  ['refused', z.strictObject, strictObjectOf],
])('where unknown fields are %s', (_, make, makeOwn) => {
  const own = makeOwn(later);
  fc.assert(
    fc.property(given, (value) => {
      expect(resultOf(own, value)).toEqual(resultOf(make(fields), value));
    }),
    { numRuns: 500 },
  );
});

test('a union finds its form without building the others', () => {
  const never = () => {
    throw new Error('Nothing has given this field.');
  };
  const forms = z.discriminatedUnion('type', [
    objectOf({ type: z.literal('one'), text: z.string(), more: never }),
    objectOf({ type: z.literal('two'), more: never }),
  ]);
  expect(parseSchema(forms, { type: 'one', text: 'a' }).data).toEqual({ type: 'one', text: 'a' });
  expect(parseSchema(forms, { type: 'two' }).data).toEqual({ type: 'two' });
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
