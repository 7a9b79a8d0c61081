/** Bodies with long base64 texts: the same bytes as any other way to write them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeLargeJson } from '../../lib/transport/write-large-json.ts';

const long = fc.constantFrom('A'.repeat(5_000), `data:image/png;base64,${'b+/='.repeat(2_000)}`);
const almost = fc.constantFrom('"'.repeat(5_000), '読'.repeat(5_000), `${'A'.repeat(5_000)}\n`);
const value = fc.oneof(long, almost, fc.string(), fc.jsonValue());

test('are written as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), value), { maxLength: 6 }), (list) => {
      const body = { list, undefined: undefined };
      expect(writeLargeJson(body).toString()).toBe(JSON.stringify(body));
    }),
  );
});
