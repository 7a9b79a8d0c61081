/** Together AI. */
import { switchedBy } from '../../protocols/openai-chat/dialect.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { compatibleProvider } from '../openai-compatible.ts';
import type { Provider } from '../provider.ts';

export const together: Provider = {
  ...compatibleProvider({
    name: 'together',
    baseUrl: 'https://api.together.xyz/v1',
    dialect: {
      names: { max_completion_tokens: 'max_tokens' },
      efforts: { switch: switchedBy({ reasoning: { enabled: true } }, { reasoning: { enabled: false } }) },
    },
    lacks: ['service_tier'],
  }),
  embeddings: compatibleEmbeddings(),
};
