/** Images at xAI, which knows shapes and two resolutions where OpenAI knows sizes. */
import { unsupported } from '../../normalization/rules.ts';
import { xaiImages } from '../../protocols/xai-images/protocol.ts';
import { compressionRule, imageTraitRules } from '../image-rules.ts';
import type { Images } from '../provider.ts';

/** What it draws in its smaller resolution, and the same shapes in the larger one. */
const smaller = [
  [1024, 1024],
  [1280, 896],
  [1296, 864],
  [1408, 768],
  [1408, 704],
  [1280, 576],
  [1248, 576],
] as const;

const sizes = [1, 2].flatMap((scale) =>
  smaller.flatMap(([long, short]) => [
    `${long * scale}x${short * scale}`,
    ...(long === short ? [] : [`${short * scale}x${long * scale}`]),
  ]),
);

export const grokImages: Images = {
  protocol: xaiImages,
  rules: [
    ...imageTraitRules(sizes),
    ...unsupported('quality', 'background', 'output_format', 'moderation'),
    compressionRule,
  ],
};
