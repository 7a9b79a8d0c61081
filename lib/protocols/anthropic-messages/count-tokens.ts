/** Counts tokens at Anthropic. Source: Anthropic's reference, "Count tokens in a Message". */
import type { TokenCounter } from '../../core/generation/protocol.ts';
import { pick, readCount } from '../token-count.ts';

const fields = ['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'];

export const messagesCounter: TokenCounter = {
  path: () => '/messages/count_tokens',
  body: (request) => pick(request, fields),
  read: (answer) => readCount(answer, 'input_tokens'),
};
