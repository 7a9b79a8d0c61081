/** Perplexity: answers from a web search. Its turns must alternate, and it takes no tools. */
import { compatibleProvider } from '../openai-compatible.ts';

export const perplexity = compatibleProvider({
  name: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  dialect: {
    names: { max_completion_tokens: 'max_tokens' },
    mergesTurns: true,
    alwaysTellsUsage: true,
    readsThinkTags: true,
  },
  lacks: [
    'stop',
    'seed',
    'logprobs',
    'top_logprobs',
    'logit_bias',
    'user',
    'parallel_tool_calls',
    'service_tier',
  ],
  choices: 1,
  takesNames: false,
});
