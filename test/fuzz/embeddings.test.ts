/** Any answer of a provider to an embeddings request gives vectors for all texts, or a known error. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { embedders } from './targets/embeddings.ts';

const texts = 2;

/** Names that have a meaning in one of the protocols. */
const names = fc.constantFrom(
  ...['data', 'embedding', 'embeddings', 'index', 'values', 'float', 'predictions', 'statistics'],
  ...['usage', 'prompt_tokens', 'total_tokens', 'meta', 'billed_units', 'error', 'token_count', '__proto__'],
);
const leaf = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.string(),
  fc.base64String(),
  fc.constant(null),
  fc.boolean(),
);
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('anything'), { maxLength: 4 }),
    fc.dictionary(names, tie('anything'), { maxKeys: 4 }),
  ),
}));

describe.each(embedders)('$name', ({ protocol }) => {
  test('reads any body to vectors or to an error', () => {
    fc.assert(
      fc.property(anything, (body) => {
        try {
          const { vectors, promptTokens = 1 } = protocol.decode(body, {}, texts);
          expect(vectors).toHaveLength(texts);
          for (const vector of vectors) expect(Array.from(vector).every(Number.isFinite)).toBe(true);
          expect(promptTokens).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
        const counted = protocol.counting?.decode(body);
        expect(counted === undefined || counted > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
