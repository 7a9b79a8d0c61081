/** Conversion between DynamoDB attribute values and JavaScript values. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromItem, toAttributeValue, toItem } from '../../lib/stores/dynamodb/attribute-values.ts';

describe('DynamoDB attribute values', () => {
  test('each type of JSON value maps to its attribute type', () => {
    const item = toItem({
      text: 'a',
      count: 1.5,
      yes: true,
      nothing: null,
      list: ['a', 2],
      map: { deep: 'b' },
    });
    expect(item).toEqual({
      text: { S: 'a' },
      count: { N: '1.5' },
      yes: { BOOL: true },
      nothing: { NULL: true },
      list: { L: [{ S: 'a' }, { N: '2' }] },
      map: { M: { deep: { S: 'b' } } },
    });
  });

  test('any JSON object survives a round trip', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        // JSON has no minus zero, and neither has DynamoDB.
        const plain = JSON.parse(JSON.stringify(fields));
        expect(JSON.parse(JSON.stringify(fromItem(toItem(plain))))).toEqual(plain);
      }),
    );
  });

  test('bytes survive a round trip, including a view of a larger buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(5), (bytes, start) => {
        const part = bytes.subarray(start);
        expect(fromItem(toItem({ part })).part).toEqual(Buffer.from(part));
      }),
    );
    expect(toItem({ part: Buffer.from('ab') })).toEqual({ part: { B: 'YWI=' } });
  });

  test('a member may have any name', () => {
    const fields = JSON.parse('{"__proto__":{"a":1},"constructor":"b"}');
    const item = toItem(fields);
    expect(JSON.stringify(item)).toBe('{"__proto__":{"M":{"a":{"N":"1"}}},"constructor":{"S":"b"}}');
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
  });

  test('undefined members are omitted', () => {
    expect(toItem({ kept: 1, gone: undefined })).toEqual({ kept: { N: '1' } });
  });

  test('values that are neither JSON nor bytes are rejected', () => {
    expect(() => toAttributeValue(Number.NaN)).toThrow(TypeError);
    expect(() => toAttributeValue(() => 1)).toThrow(TypeError);
  });
});
