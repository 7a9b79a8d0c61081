/**
 * The hosts that imitate OpenAI, as the sandbox plays them: one row each, with what it refuses and how it reasons.
 */
import { xaiManner } from '../openai-responses/manner.ts';
import type { SandboxRoute } from '../server.ts';
import type { Manner } from './manner.ts';
import { openaiWire } from './wire.ts';

interface Host extends Omit<Manner, 'strict'> {
  readonly provider: string;
  readonly base: string;
}

const penalties = ['frequency_penalty', 'presence_penalty'];
const probabilities = ['logprobs', 'top_logprobs', 'logit_bias'];

const hosts: readonly Host[] = [
  {
    provider: 'mistral',
    base: '/mistral/v1',
    reasoning: 'parts',
    refuses: [...probabilities, 'seed', 'user', 'store', 'max_completion_tokens', 'stream_options'],
    shortToolIds: true,
    alwaysTellsUsage: true,
  },
  {
    provider: 'xai',
    base: '/xai/v1',
    reasoning: 'reasoning_content',
    refuses: [...penalties, 'stop', 'logit_bias'],
    responses: xaiManner,
  },
  {
    provider: 'deepseek',
    base: '/deepseek',
    reasoning: 'reasoning_content',
    refuses: ['user', 'seed', 'logit_bias', 'n'],
    wantsBack: 'reasoning_content',
  },
  { provider: 'groq', base: '/groq/openai/v1', reasoning: 'reasoning', refuses: [...probabilities, 'n'] },
  { provider: 'together', base: '/together/v1', reasoning: 'reasoning' },
  { provider: 'fireworks', base: '/fireworks/inference/v1', reasoning: 'reasoning_content' },
  {
    provider: 'cerebras',
    base: '/cerebras/v1',
    reasoning: 'reasoning',
    refuses: [...penalties, 'logit_bias'],
  },
  {
    provider: 'openrouter',
    base: '/openrouter/api/v1',
    reasoning: 'details',
  },
  { provider: 'huggingface', base: '/huggingface/v1', reasoning: 'reasoning_content' },
  {
    provider: 'moonshot',
    base: '/moonshot/v1',
    reasoning: 'reasoning_content',
    refuses: [...penalties, 'temperature', 'top_p', 'n'],
    wantsBack: 'reasoning_content',
  },
  {
    provider: 'alibaba',
    base: '/alibaba/compatible-mode/v1',
    reasoning: 'reasoning_content',
    refuses: ['frequency_penalty', 'reasoning_effort'],
  },
  {
    provider: 'zai',
    base: '/zai/api/paas/v4',
    reasoning: 'reasoning_content',
    refuses: [...penalties, 'stream_options', 'max_completion_tokens'],
    alwaysTellsUsage: true,
  },
  {
    provider: 'minimax',
    base: '/minimax/v1',
    reasoning: 'tags',
    refuses: ['reasoning_effort', ...penalties],
  },
  {
    provider: 'perplexity',
    base: '/perplexity',
    refuses: ['tools', 'seed', 'stop', 'stream_options'],
    alternates: true,
    alwaysTellsUsage: true,
  },
  { provider: 'self-hosted', base: '/self-hosted/v1', reasoning: 'tags', open: true },
];

export const compatibleRoutes: readonly SandboxRoute[] = hosts.map(({ provider, base, ...manner }) => ({
  provider,
  base,
  wire: openaiWire({ strict: false, ...manner }),
}));
