/** The rules on images that follow from a model's traits, at every provider; providers add what they do not support. */
import type { ImageTraits } from '../core/catalog/model.ts';
import type { ImageRequest } from '../core/generation/image.ts';
import type { RequestContext, RuleFor } from '../normalization/rule.ts';
import { distance, readSize } from '../protocols/image-shape.ts';

type ImageContext = RequestContext<ImageRequest>;
export type ImageRule = RuleFor<ImageRequest>;

const traitsOf = ({ target }: ImageContext): ImageTraits => target.model.traits.image ?? {};

const tooMany: ImageRule = {
  param: 'n',
  reason: 'The model generates fewer images.',
  applies: (context) => (context.parameters.n ?? 1) > (traitsOf(context).maxImages ?? 10),
  refuses: {
    message: (context) => {
      const { maxImages = 10 } = traitsOf(context);
      const images = maxImages === 1 ? 'image' : 'images';
      return `The model '${context.target.model.id}' generates at most ${maxImages} ${images} for one request.`;
    },
  },
};

/** A setting that an image can do without. */
function onlyListed(
  param: 'quality' | 'background' | 'output_format' | 'complexity' | 'input_fidelity',
  listOf: (traits: ImageTraits) => readonly string[] | undefined,
): ImageRule {
  return {
    param,
    reason: 'The model does not support this value.',
    applies: (context) => {
      const value = context.parameters[param];
      return value !== undefined && listOf(traitsOf(context))?.includes(value) === false;
    },
  };
}

/** Comes after all that may take a format away: only these formats are compressed with a loss. */
export const compressionRule: ImageRule = {
  param: 'output_compression',
  reason: 'The parameter applies only to jpeg and webp.',
  applies: ({ parameters: { output_format: format } }) => format !== 'jpeg' && format !== 'webp',
};

/** Of a provider without streams of images. */
export const noPartialImages: ImageRule = {
  param: 'partial_images',
  reason: 'The provider sends the finished image only.',
  applies: () => true,
};

const ofPreview = 'Only a preview of the provider has this, for accounts that it chose.';

/** Films and drawings: a second model, whose price the catalog does not have, writes the drawings. */
const previews: readonly ImageRule[] = [
  {
    param: 'output_format',
    reason: ofPreview,
    applies: ({ parameters: { output_format: format } }) => format === 'gif' || format === 'svg',
  },
  ...(['frame_count', 'frame_duration_ms', 'svg'] as const).map((param) => ({
    param,
    reason: ofPreview,
    applies: () => true,
  })),
];

/** `known`: the sizes where the catalog lists none; absent: any size. */
function onlyKnownSizes(known?: readonly string[]): ImageRule {
  const sizesOf = (context: ImageContext) => traitsOf(context).sizes ?? known;
  return {
    param: 'size',
    reason: 'The model does not support this size. The nearest supported size is used.',
    applies: (context) => {
      const { size } = context.parameters;
      return size !== undefined && size !== 'auto' && sizesOf(context)?.includes(size) === false;
    },
    value: (context) => nearest(context.parameters.size ?? 'auto', sizesOf(context) ?? []),
  };
}

/** Shapes that differ by less look alike. */
const alike = 0.02;

/** The size of the most similar shape; among those, of the most similar area. */
function nearest(asked: string, sizes: readonly string[]): string {
  const wanted = readSize(asked);
  if (!wanted) return 'auto';
  const ranked = sizes.flatMap((size) => {
    const found = readSize(size);
    if (!found) return [];
    const shape = Math.round(distance(found.ratio, wanted.ratio) / alike);
    return [{ size, shape, area: distance(found.pixels, wanted.pixels) }];
  });
  const [first] = ranked.toSorted((one, other) => one.shape - other.shape || one.area - other.area);
  return first?.size ?? 'auto';
}

export function imageTraitRules(sizes?: readonly string[]): readonly ImageRule[] {
  return [
    tooMany,
    onlyKnownSizes(sizes),
    onlyListed('quality', ({ qualities }) => qualities),
    onlyListed('background', ({ backgrounds }) => backgrounds),
    ...previews,
    onlyListed('output_format', ({ outputFormats }) => outputFormats),
    onlyListed('complexity', ({ complexities }) => complexities),
    onlyListed('input_fidelity', ({ edits }) => edits?.fidelities ?? []),
  ];
}
