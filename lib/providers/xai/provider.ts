/** xAI. What its models refuse depends on the model, so it is in the catalog. */
import { compatibleProvider } from '../openai-compatible.ts';

export const xai = compatibleProvider({
  name: 'xai',
  baseUrl: 'https://api.x.ai/v1',
  lacks: ['logit_bias', 'service_tier'],
});
