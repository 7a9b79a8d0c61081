/** The values that the sandbox generates are valid for their schemas. */
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { sampleArguments, sampleOf } from '../../sandbox/schema-sample.ts';

const ajv = new Ajv({ strict: false });

test.each([
  [
    'plain types',
    {
      type: 'object',
      required: ['a', 'b', 'c', 'd'],
      properties: {
        a: { type: 'string' },
        b: { type: 'integer' },
        c: { type: 'boolean' },
        d: { type: 'null' },
      },
    },
  ],
  [
    'numbers within limits',
    { type: 'array', minItems: 2, items: { type: 'number', minimum: 3.5, multipleOf: 0.5 } },
  ],
  ['numbers below zero', { type: 'integer', maximum: -4 }],
  ['numbers above an open limit', { type: 'integer', exclusiveMinimum: 9 }],
  ['texts within limits', { type: 'string', minLength: 20, maxLength: 30 }],
  ['short texts', { type: 'string', maxLength: 2 }],
  ['a nullable type', { type: ['null', 'string'] }],
  ['a constant', { const: { a: [1] } }],
  ['a choice', { anyOf: [{ type: 'integer' }, { type: 'string' }] }],
  [
    'a choice of objects',
    {
      oneOf: [{ type: 'object', required: ['kind'], properties: { kind: { const: 'x' } } }, { type: 'null' }],
    },
  ],
  [
    'parts put together',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { required: ['b'], properties: { b: { enum: [7] } } },
      ],
    },
  ],
  [
    'references',
    {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['value', 'next'],
          properties: {
            value: { type: 'string' },
            next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/node' }] },
          },
        },
      },
    },
  ],
])('fits %s', (_, schema) => {
  const sample = sampleOf(schema);
  expect(ajv.validate(schema, sample), JSON.stringify(sample)).toBe(true);
});

test('ends for a recursive schema', () => {
  const schema = {
    $ref: '#/$defs/a',
    $defs: { a: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/a' } } } },
  };
  expect(sampleOf(schema)).toBeTypeOf('object');
});

test('gives a function without parameters an empty object', () => {
  expect(sampleArguments({})).toEqual({});
});
