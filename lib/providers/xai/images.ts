/** Images at xAI, which has shapes and two resolutions in place of OpenAI's sizes. */
import { unsupported } from '../../normalization/rules.ts';
import { xaiImages } from '../../protocols/xai-images/protocol.ts';
import { compressionRule, imageTraitRules } from '../image-rules.ts';
import type { Images } from '../provider.ts';

/** The sizes of its lower resolution; the higher one has the same shapes. */
const lower = [
  [1024, 1024],
  [1280, 896],
  [1296, 864],
  [1408, 768],
  [1408, 704],
  [1280, 576],
  [1248, 576],
] as const;

const sizes = [1, 2].flatMap((scale) =>
  lower.flatMap(([long, short]) => [
    `${long * scale}x${short * scale}`,
    ...(long === short ? [] : [`${short * scale}x${long * scale}`]),
  ]),
);

export const grokImages: Images = {
  protocol: xaiImages,
  rules: [
    ...imageTraitRules(sizes),
    ...unsupported('quality', 'background', 'output_format', 'moderation', 'complexity', 'safety_identifier'),
    compressionRule,
  ],
};
