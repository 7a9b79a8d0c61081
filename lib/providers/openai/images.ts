/** Images at OpenAI and Azure: GPT Image takes all there is; what a model lacks is in its catalog row. */
import { openaiImages } from '../../protocols/openai-images/protocol.ts';
import { compressionRule, imageTraitRules } from '../image-rules.ts';
import type { Images } from '../provider.ts';

export const gptImages: Images = {
  protocol: openaiImages,
  rules: [...imageTraitRules(), compressionRule],
};
