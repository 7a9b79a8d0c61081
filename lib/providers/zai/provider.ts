/** Z.ai (GLM). It can neither force a call nor forbid one: without tools there is none. */
import type { Rule } from '../../normalization/rule.ts';
import { thinkingSwitch, thinkingWithEffort } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

const highestTemperature: Rule = {
  param: 'temperature',
  reason: 'The value is above the highest that the provider takes.',
  applies: ({ parameters }) => (parameters.temperature ?? 0) > 1,
  value: () => 1,
};

export const zai = compatibleProvider({
  name: 'zai',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  dialect: {
    names: { max_completion_tokens: 'max_tokens' },
    efforts: { effort: thinkingWithEffort, switch: thinkingSwitch },
    noneLeavesOutTools: true,
    withoutStrictTools: true,
    alwaysTellsUsage: true,
  },
  lacks: ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'],
  choices: 1,
  takesNames: false,
  rules: [highestTemperature],
});
