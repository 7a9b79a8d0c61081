/** The rules on embeddings that follow from a model's traits, at every provider; providers add what they do not support. */
import type { EmbeddingTraits, Target } from '../core/catalog/model.ts';
import type { EmbeddingRequest } from '../core/generation/embedding.ts';
import type { RuleFor } from '../normalization/rule.ts';
import type { Embeddings } from './provider.ts';

export type EmbeddingRule = RuleFor<EmbeddingRequest>;

type Dimensions = EmbeddingTraits['dimensions'];

const dimensionsOf = ({ model }: Target): Dimensions | undefined => model.traits.embedding?.dimensions;

const allows = ({ default: standard, values, range }: Dimensions, asked: number): boolean =>
  asked === standard ||
  values?.includes(asked) === true ||
  (range !== undefined && asked >= range.min && asked <= range.max);

function describe({ default: standard, values, range }: Dimensions): string {
  if (range) return `between ${range.min} and ${range.max}`;
  const sizes = [...(values ?? [standard])].sort((one, other) => one - other);
  return sizes.length > 1 ? `one of ${sizes.join(', ')}` : `${sizes[0]}`;
}

const onlyKnownDimensions: EmbeddingRule = {
  param: 'dimensions',
  reason: 'The model does not support this number of dimensions.',
  applies: ({ parameters: { dimensions }, target }) => {
    const known = dimensionsOf(target);
    return dimensions !== undefined && known !== undefined && !allows(known, dimensions);
  },
  refuses: {
    message: ({ target }) => {
      const known = dimensionsOf(target);
      return `'dimensions' must be ${known ? describe(known) : 'omitted'} for the model '${target.model.id}'.`;
    },
  },
};

/** Such a model answers 400 even to the number that it has. */
const fixedDimensions: EmbeddingRule = {
  param: 'dimensions',
  reason: 'The model has a fixed number of dimensions, and does not support this parameter.',
  applies: ({ target }) => {
    const known = dimensionsOf(target);
    if (!known || known.range) return false;
    return (known.values ?? []).every((value) => value === known.default);
  },
};

const symmetric: EmbeddingRule = {
  param: 'input_type',
  reason: 'The model does not distinguish queries from documents.',
  applies: ({ target }) => target.model.traits.embedding?.inputTypes === undefined,
  isDefault: ({ parameters }) => parameters.input_type === 'document',
};

export const embeddingTraitRules: readonly EmbeddingRule[] = [
  onlyKnownDimensions,
  fixedDimensions,
  symmetric,
];

/** For protocols that have no field for the end user. */
export const withoutUser: EmbeddingRule = {
  param: 'user',
  reason: 'The provider does not support this parameter.',
  applies: () => true,
};

/** The embeddings of a provider whose protocols have no field for the end user. */
export const embeddingsBy = (protocol: Embeddings['protocol']): Embeddings => ({
  protocol,
  rules: [...embeddingTraitRules, withoutUser],
});
