/** Mistral. It validates strictly: a field that it does not know is a 422. */
import { nineCharacters } from '../../protocols/openai-chat/dialect.ts';
import { mistralDialect } from '../../protocols/openai-embeddings/dialect.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { withoutUser } from '../embedding-rules.ts';
import { compatibleProvider } from '../openai-compatible.ts';
import type { Provider } from '../provider.ts';

export const mistral: Provider = {
  ...compatibleProvider({
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
    // Its own client says so, and a user's message right behind a result is refused by its older models.
    takesImagesInResults: true,
  }),
  embeddings: compatibleEmbeddings(mistralDialect, [withoutUser]),
};
