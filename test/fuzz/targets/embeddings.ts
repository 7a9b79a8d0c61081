/** Answers with embeddings: vectors for all texts, or a known error. */

import { embeddingProtocols } from '../../../lib/core/catalog/model.ts';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { EmbeddingProtocol } from '../../../lib/core/generation/embedding.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { testTarget } from '../../harness/matrix/model.ts';
import { faultsOfError } from './generation.ts';
import { jsonLines, readLines, type Target, textsOf } from './target.ts';

/** Each protocol of each provider. */
export const embedders = [...providers.values()].flatMap(({ name, embeddings }) =>
  embeddingProtocols.flatMap((protocol): { name: string; protocol: EmbeddingProtocol }[] => {
    const embedding = { dimensions: { default: 2 }, protocol };
    const target = testTarget({ traits: { refuses: [], refusesWhileReasoning: [], embedding } });
    try {
      return embeddings ? [{ name: `${name} ${protocol}`, protocol: embeddings.protocol(target) }] : [];
    } catch {
      // Not every protocol is used by every provider.
      return [];
    }
  }),
);

const vectors = [
  [0.25, -1],
  [0.5, 1e-3],
];
const usage = { prompt_tokens: 4, total_tokens: 4 };

/** A body in the form of each protocol, for so many texts. */
const bodiesOf = (texts: number): readonly unknown[] => {
  const some = vectors.slice(0, texts);
  const packed = some.map((vector) => Buffer.from(Float32Array.from(vector).buffer).toString('base64'));
  return [
    { object: 'list', data: some.map((embedding, index) => ({ index, embedding })), usage },
    { object: 'list', data: packed.map((embedding, index) => ({ index, embedding })), usage },
    { embeddings: { float: some }, meta: { billed_units: { input_tokens: 4 } } },
    { embeddings: some.map((values) => ({ values })), usageMetadata: { promptTokenCount: 4 } },
    {
      predictions: some.map((values) => ({ embeddings: { values, statistics: { token_count: 4 } } })),
    },
    { embedding: { values: some[0] }, usageMetadata: { promptTokenCount: 4 } },
    { embedding: some[0], inputTextTokenCount: 4 },
    { embeddings: [{ embeddingType: 'TEXT', embedding: some[0] }] },
    { totalTokens: 4 },
    { error: { message: 'No.', code: 400 } },
  ];
};

const headers = { 'x-amzn-bedrock-input-token-count': '4' };

export function embeddingTargets(): readonly Target[] {
  return embedders.map(({ name, protocol }) => {
    const texts = Math.min(vectors.length, protocol.batchSize);
    return {
      name: `embeddings ${name}`,
      samples: bodiesOf(texts).map((body) => jsonLines([body, headers])),
      check(input) {
        const [body, given] = readLines(input);
        const counted = protocol.counting?.decode(body);
        const faults = counted === undefined || isCount(counted) ? [] : ['counted tokens are a count'];
        try {
          return [...faults, ...faultsOf(protocol.decode(body, textsOf(given), texts), texts)];
        } catch (thrown) {
          if (!(thrown instanceof GatewayError)) throw thrown;
          return [...faults, ...faultsOfError(thrown)];
        }
      },
    };
  });
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

function faultsOf(
  { vectors, promptTokens }: ReturnType<EmbeddingProtocol['decode']>,
  texts: number,
): readonly string[] {
  const faults = vectors.length === texts ? [] : ['there is a vector for each text'];
  if (!vectors.every((vector) => vector.length > 0 && Array.from(vector).every(Number.isFinite)))
    faults.push('a vector is a list of numbers');
  if (promptTokens !== undefined && !isCount(promptTokens)) faults.push('tokens are a count');
  return faults;
}
