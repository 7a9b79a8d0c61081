/** The router of Hugging Face, before many hosts of open models. */
import { compatibleProvider } from '../openai-compatible.ts';

export const huggingface = compatibleProvider({
  name: 'huggingface',
  baseUrl: 'https://router.huggingface.co/v1',
  lacks: ['service_tier'],
});
