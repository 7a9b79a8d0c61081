/** The rules on reranking: what a provider does not take is left out on record. */
import type { RerankProtocol, RerankRequest } from '../core/generation/rerank.ts';
import type { RuleFor } from '../normalization/rule.ts';
import type { Rerank } from './provider.ts';

type RerankRule = RuleFor<RerankRequest>;

/** All but `top_n`, which each protocol has. */
export const optionalRerank = [
  'max_tokens_per_doc',
  'max_chunks_per_doc',
  'priority',
  'instruction',
  'truncation',
] as const;

export type OptionalRerank = (typeof optionalRerank)[number];

/** Cut texts have other scores, so that leaving it out would change the answer. */
const alwaysCuts: RerankRule = {
  param: 'truncation',
  reason: 'The provider cuts what is too long.',
  applies: ({ parameters }) => parameters.truncation === false,
  refuses: {
    message: ({ target }) =>
      `'truncation' must not be false for the model '${target.model.id}': its provider cuts what is too long.`,
  },
};

const unsupported = (param: OptionalRerank): RerankRule => ({
  param,
  reason: 'The provider does not support this parameter.',
  applies: () => true,
  isDefault: ({ parameters }) => param === 'truncation' && parameters.truncation === true,
});

export function rerankBy(protocol: Rerank['protocol'] | RerankProtocol, ...takes: OptionalRerank[]): Rerank {
  const missing = optionalRerank.filter((param) => !takes.includes(param));
  return {
    protocol: typeof protocol === 'function' ? protocol : () => protocol,
    rules: missing.flatMap((param) =>
      param === 'truncation' ? [alwaysCuts, unsupported(param)] : [unsupported(param)],
    ),
  };
}
