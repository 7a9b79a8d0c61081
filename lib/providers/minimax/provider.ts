/** MiniMax. It writes its reasoning at the head of the answer, and wants it back there. */
import { switchedBy } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

export const minimax = compatibleProvider({
  name: 'minimax',
  baseUrl: 'https://api.minimax.io/v1',
  dialect: {
    efforts: { switch: switchedBy({ thinking: { type: 'adaptive' } }, { thinking: { type: 'disabled' } }) },
    noneLeavesOutTools: true,
    withoutStrictTools: true,
    readsThinkTags: true,
    replay: { field: 'think', formats: ['minimax'] },
  },
  lacks: [
    'frequency_penalty',
    'presence_penalty',
    'parallel_tool_calls',
    'seed',
    'logit_bias',
    'service_tier',
  ],
  choices: 1,
});
