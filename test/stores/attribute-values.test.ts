/** Values keep their meaning on the way into the database and back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromItem, toAttributeValue, toItem } from '../../lib/stores/dynamodb/attribute-values.ts';

describe('values in DynamoDB', () => {
  test('each kind of JSON value has its attribute type', () => {
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

  test('any JSON object comes back as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        // JSON has no minus zero, and neither has DynamoDB.
        const plain = JSON.parse(JSON.stringify(fields));
        expect(JSON.parse(JSON.stringify(fromItem(toItem(plain))))).toEqual(plain);
      }),
    );
  });

  test('bytes come back as they were, also those of a part of a buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(5), (bytes, start) => {
        const part = bytes.subarray(start);
        expect(fromItem(toItem({ part })).part).toEqual(Buffer.from(part));
      }),
    );
    expect(toItem({ part: Buffer.from('ab') })).toEqual({ part: { B: 'YWI=' } });
  });

  test('a member that is undefined is left out', () => {
    expect(toItem({ kept: 1, gone: undefined })).toEqual({ kept: { N: '1' } });
  });

  test('what is neither JSON nor bytes is refused', () => {
    expect(() => toAttributeValue(Number.NaN)).toThrow(TypeError);
    expect(() => toAttributeValue(() => 1)).toThrow(TypeError);
  });
});
