/** Cerebras. */
import { switchedBy } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

export const cerebras = compatibleProvider({
  name: 'cerebras',
  baseUrl: 'https://api.cerebras.ai/v1',
  dialect: {
    // Its models with a switch think unless told not to; there is no word for on.
    efforts: { switch: switchedBy({}, { reasoning_effort: 'none' }) },
    replay: { field: 'reasoning', formats: ['cerebras'] },
  },
  lacks: ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'],
});
