/** OpenRouter: a router, so what a model takes depends on the host behind it; it leaves out what that host lacks. */
import { claudeFormat, geminiFormat, openaiFormat } from '../../core/generation/reasoning-format.ts';
import { switchedBy, type WriteEffort } from '../../protocols/openai-chat/dialect.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { compatibleProvider } from '../openai-compatible.ts';
import type { Provider } from '../provider.ts';

const effort: WriteEffort = (wanted) => ({
  reasoning: wanted === 'none' ? { enabled: false } : { effort: wanted },
});
const onOff = switchedBy({ reasoning: { enabled: true } }, { reasoning: { enabled: false } });

export const openrouter: Provider = {
  ...compatibleProvider({
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    dialect: {
      always: { usage: { include: true } },
      efforts: { effort, switch: onOff, budget: effort, adaptive: effort, level: effort },
      takesCacheControl: true,
      // It passes details through from the model's own maker, under the maker's format.
      replay: {
        field: 'reasoning_details',
        formats: ['unknown', claudeFormat, geminiFormat, openaiFormat, 'xai-responses-v1'],
      },
    },
  }),
  embeddings: compatibleEmbeddings(),
};
