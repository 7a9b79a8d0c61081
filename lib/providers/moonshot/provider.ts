/** Moonshot (Kimi). The reasoning of a turn that called tools must come back to it. */
import { thinkingSwitch } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

export const moonshot = compatibleProvider({
  name: 'moonshot',
  baseUrl: 'https://api.moonshot.ai/v1',
  dialect: {
    efforts: { switch: thinkingSwitch },
    continued: { partial: true },
    replay: { field: 'reasoning_content', formats: ['moonshot'] },
  },
  lacks: ['logit_bias', 'service_tier'],
  choices: 1,
  takesImageUrls: false,
});
