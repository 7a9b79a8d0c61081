/** Mistral. It validates strictly: a field that it does not know is a 422. */
import { nineCharacters } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

export const mistral = compatibleProvider({
  name: 'mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  dialect: {
    names: { seed: 'random_seed', max_completion_tokens: 'max_tokens' },
    requiredToolChoice: 'any',
    toToolId: nineCharacters,
    continued: { prefix: true },
    alwaysTellsUsage: true,
  },
  lacks: ['logprobs', 'top_logprobs', 'logit_bias', 'user', 'service_tier'],
  takesNames: false,
});
