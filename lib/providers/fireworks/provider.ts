/** Fireworks AI. */
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { compatibleProvider } from '../openai-compatible.ts';
import type { Provider } from '../provider.ts';

export const fireworks: Provider = {
  ...compatibleProvider({
    name: 'fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    lacks: ['service_tier'],
  }),
  embeddings: compatibleEmbeddings(),
};
