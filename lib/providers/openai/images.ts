/** Images at OpenAI and Azure: GPT Image supports every parameter; what a model does not support is in its catalog row. */
import { openaiImages } from '../../protocols/openai-images/protocol.ts';
import { compressionRule, imageTraitRules } from '../image-rules.ts';
import type { Images } from '../provider.ts';

export const gptImages: Images = {
  protocol: openaiImages,
  rules: [...imageTraitRules(), compressionRule],
};
