/** Whatever a provider answers to a request for vectors, it is vectors for all texts or an error that is known. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { providers } from '../../infra/all-providers.ts';
import { GatewayError } from '../../lib/core/errors.ts';
import type { EmbeddingProtocol } from '../../lib/core/generation/embedding.ts';
import { embeddingWires } from '../../lib/core/model.ts';
import { testTarget } from '../harness/matrix/model.ts';

const texts = 2;

const wires = [...providers.values()].flatMap(({ name, embeddings }) =>
  embeddingWires.flatMap((wire): { name: string; protocol: EmbeddingProtocol }[] => {
    const embedding = { dimensions: { default: 2 }, wire };
    const target = testTarget({ traits: { refuses: [], refusesWhileReasoning: [], embedding } });
    try {
      return embeddings ? [{ name: `${name} ${wire}`, protocol: embeddings.protocol(target) }] : [];
    } catch {
      // Not every family is at every provider.
      return [];
    }
  }),
);

/** Names that mean something on one of the wires. */
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

describe.each(wires)('$name', ({ protocol }) => {
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
