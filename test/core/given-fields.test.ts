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

/** One field of each kind that may pass as it is, or must not. */
const kindsOf = (object: typeof objectOf) => ({
  text: z.string().check(z.minLength(1), z.maxLength(4)),
  atLeastTwo: z.string().check(z.minLength(2)),
  word: z.string().check(z.regex(/^[a-z]+$/)),
  wordOf: z.string().check(z.regex(/[a-z]/y)),
  day: z.iso.date(),
  time: z.iso.datetime(),
  mail: z.email(),
  trimmed: z.string().check(z.trim()),
  coerced: z.coerce.number(),
  whole: z.int(),
  wholeBetween: z.int().check(z.minimum(1), z.maximum(9)),
  between: z.number().check(z.gt(0), z.lt(1)),
  small: z.int32(),
  even: z.number().check(z.refine((value) => value % 2 === 0)),
  refined: z.string().check(z.refine((value) => value.length)),
  record: z.record(z.string(), z.int()),
  recordOf: z.record(z.enum(['a', 'b']), z.string()),
  list: z.array(z.string()).check(z.minLength(2), z.maxLength(2)),
  refinedList: z.array(z.string()).check(z.refine((list) => list.every((text) => text.startsWith('a')))),
  numberOrText: z.union([z.coerce.number(), z.string()]),
  textOrNumber: z.union([z.coerce.string(), z.number()]),
  textOrList: z.union([z.string(), z.array(z.int())]),
  lists: z.union([z.array(z.string()), z.array(z.int())]),
  formOrRecord: z.union([object({ id: z.string() }), z.record(z.string(), z.string())]),
  wider: z.union([object({ id: z.string() }), object({ id: z.string(), more: z.boolean() })]),
  form: object(
    { id: z.string(), more: z.optional(z.boolean()) },
    z.refine(({ id }) => id !== 'bad'),
  ),
  forms: z.array(object({ id: z.string() })),
  filledIn: z.array(object({ id: z._default(z.string(), 'x') })),
});

const kindsOfValues: readonly unknown[] = [
  [null, true, '', 'a', ' a ', 'ab', 'abcd', 'abcde', 'A', '😀', '😀😀', '1', 'a@b.example'],
  ['2026-02-29', '2026-11-30', '2026-11-30T10:00:00Z', '2026-11-30T10:00:00+01:00'],
  [0, -0, 1, 2, 9, 10, 0.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -1],
  [{}, { a: 1 }, { a: 'x' }, { a: 'x', b: 'y' }, JSON.parse('{"__proto__":1}')],
  [
    { id: 'x' },
    { id: 'bad' },
    { id: 'x', more: 'y' },
    { id: 'x', more: true },
    { id: 'x', more: true, other: 1 },
    { more: true },
  ],
  [
    [],
    ['a'],
    ['a', 'b'],
    ['a', 'b', 'c'],
    [1],
    [1, 2],
    ['a', 1],
    [{ id: 'x' }],
    [{ id: 'x', other: 1 }],
    [{}],
  ],
].flat();

test.each([
  ['left out', z.object, objectOf],
  ['refused', z.strictObject, strictObjectOf],
])('of all kinds, where unknown fields are %s', (_, make, makeOwn) => {
  const plain: Readonly<Record<string, z.core.$ZodType>> = kindsOf(((
    shape: z.core.$ZodShape,
    check?: never,
  ) => (check ? make(shape).check(check) : make(shape))) as unknown as typeof objectOf);
  for (const [name, field] of Object.entries(kindsOf(makeOwn as typeof objectOf)))
    for (const value of kindsOfValues)
      expect([name, value, resultOf(makeOwn({ [name]: field }), { [name]: value })]).toEqual([
        name,
        value,
        resultOf(make({ [name]: plain[name] ?? z.never() }), { [name]: value }),
      ]);
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
