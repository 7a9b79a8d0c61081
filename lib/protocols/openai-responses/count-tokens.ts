/** Counts tokens at OpenAI. Source: OpenAI's reference, "Get input token counts". */
import type { TokenCounter } from '../../core/generation/original/protocol.ts';
import { pick, readCount } from '../token-count.ts';

const fields = ['model', 'input', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'text'];

export const responsesCounter: TokenCounter = {
  path: () => '/responses/input_tokens',
  body: (request) => pick(request, fields),
  read: (answer) => readCount(answer, 'input_tokens'),
};
