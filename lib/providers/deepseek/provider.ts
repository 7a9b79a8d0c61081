/** DeepSeek. The reasoning of a turn that called tools must come back to it. */
import type { ReasoningEffort } from '../../core/generation/request.ts';
import type { Rule } from '../../normalization/rule.ts';
import { thinkingWithEffort } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

/** What DeepSeek itself takes an effort for that it does not have. */
const mapping: Readonly<Partial<Record<ReasoningEffort, ReasoningEffort>>> = { medium: 'high', xhigh: 'max' };

const ownMapping: Rule = {
  param: 'reasoning_effort',
  reason: 'The provider does not have this effort and takes it for another one.',
  applies: ({ parameters: { reasoning_effort: effort }, target }) =>
    effort !== undefined && effort in mapping && target.model.traits.reasoning !== undefined,
  value: ({ parameters }) => mapping[parameters.reasoning_effort ?? 'none'],
};

export const deepseek = compatibleProvider({
  name: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  dialect: {
    names: { user: 'user_id', max_completion_tokens: 'max_tokens' },
    efforts: { effort: thinkingWithEffort },
    replay: { field: 'reasoning_content', formats: ['deepseek'] },
  },
  lacks: ['seed', 'logit_bias', 'parallel_tool_calls', 'service_tier'],
  choices: 1,
  rules: [ownMapping],
});
