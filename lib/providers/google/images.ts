/** Images of Gemini models, at Google's own interface and on Vertex. */
import { unsupported } from '../../normalization/rules.ts';
import { googleImages } from '../../protocols/google-images/protocol.ts';
import { compressionRule, type ImageRule, imageTraitRules, noPartialImages } from '../image-rules.ts';
import type { Images } from '../provider.ts';

/** The sizes of the first of these models, for one whose row lists none. */
const sizes = [
  '1024x1024',
  '832x1248',
  '1248x832',
  '864x1184',
  '1184x864',
  '896x1152',
  '1152x896',
  '768x1344',
  '1344x768',
  '1536x672',
];

const rules = [
  ...imageTraitRules(sizes),
  ...unsupported('quality', 'background', 'moderation', 'complexity', 'user', 'safety_identifier'),
  noPartialImages,
];

export const geminiImages: Images = {
  protocol: googleImages,
  rules: [...rules, ...unsupported('output_format', 'output_compression')],
};

/** Vertex writes images in two of the formats. */
const noWebp: ImageRule = {
  param: 'output_format',
  reason: 'The provider does not support webp.',
  applies: ({ parameters }) => parameters.output_format === 'webp',
};

const vertexPath = (upstreamId: string) => `/publishers/google${googleImages.path(upstreamId)}`;

export const vertexImages: Images = {
  protocol: {
    ...googleImages,
    path: vertexPath,
    ...(googleImages.edits && { edits: { ...googleImages.edits, path: vertexPath } }),
  },
  rules: [...rules, noWebp, compressionRule],
};
