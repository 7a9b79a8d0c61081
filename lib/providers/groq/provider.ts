/** Groq. */
import type { Rule } from '../../normalization/rule.ts';
import { switchedBy } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

const defaultTier: Rule = {
  param: 'service_tier',
  reason: 'The provider chooses its default tier by itself when none is named.',
  applies: ({ parameters }) => parameters.service_tier === 'default',
};

export const groq = compatibleProvider({
  name: 'groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  dialect: {
    efforts: { switch: switchedBy({ reasoning_effort: 'default' }, { reasoning_effort: 'none' }) },
    // Otherwise some models write their reasoning into the answer.
    forReasoners: { reasoning_format: 'parsed' },
    formatWithoutTools: true,
  },
  lacks: ['logprobs', 'top_logprobs', 'logit_bias'],
  choices: 1,
  takesNames: false,
  rules: [defaultTier],
});
