/** Fireworks AI. */
import { compatibleProvider } from '../openai-compatible.ts';

export const fireworks = compatibleProvider({
  name: 'fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  lacks: ['service_tier'],
});
