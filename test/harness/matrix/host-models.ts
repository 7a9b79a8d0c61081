/** What the contract tests call at each host of the host table; no row: no model of the host is served any more. */
import type { HostName } from '../../../lib/providers/hosts/hosts.ts';

/** Models of the catalog with a deployment at the host, which the contract tests call there. */
export interface TestModels {
  /** Takes text and writes JSON. */
  readonly model: string;
  /** Reasons; absent where the host has no such model. */
  readonly reasoning?: string;
  /** False where the answer does not show the reasoning. */
  readonly showsReasoning?: boolean;
  /** How images reach the model: the host fetches them, or the gateway sends bytes. Absent: it takes none. */
  readonly images?: 'by-url' | 'as-bytes';
  /** Whether the model calls tools when required to, only when it decides to, or never. */
  readonly tools: 'as-required' | 'as-decided' | 'none';
  /** Parameters that it refuses without normalization; absent where it refuses none. */
  readonly refused?: object;
}

export const hostModels: Readonly<Partial<Record<HostName, TestModels>>> = {
  mistral: {
    model: 'mistral/mistral-large-2512',
    reasoning: 'mistral/mistral-medium-2604',
    images: 'by-url',
    tools: 'as-required',
    refused: { logit_bias: { 50256: -100 } },
  },
  xai: {
    model: 'xai/grok-4.20-0309-non-reasoning',
    reasoning: 'xai/grok-4.3',
    images: 'by-url',
    tools: 'as-required',
    refused: { logit_bias: { 50256: -100 } },
  },
  deepseek: {
    model: 'deepseek/deepseek-flash',
    reasoning: 'deepseek/deepseek-v4-pro',
    images: 'by-url',
    tools: 'as-required',
    refused: { seed: 7 },
  },
  moonshot: {
    model: 'moonshotai/kimi-k2.6',
    reasoning: 'moonshotai/kimi-k3',
    images: 'as-bytes',
    tools: 'as-required',
    refused: { temperature: 0.4 },
  },
  alibaba: {
    model: 'alibaba/qwen3.7-plus',
    reasoning: 'alibaba/qwen3.7-max',
    images: 'by-url',
    tools: 'as-required',
    refused: { frequency_penalty: 0.5 },
  },
  zai: {
    model: 'zai/glm-5.2',
    reasoning: 'zai/glm-5.2',
    tools: 'as-decided',
    refused: { frequency_penalty: 0.5 },
  },
  minimax: {
    model: 'minimax/MiniMax-M3',
    reasoning: 'minimax/MiniMax-M3',
    images: 'by-url',
    tools: 'as-decided',
    refused: { frequency_penalty: 0.5 },
  },
  groq: {
    model: 'qwen/qwen3.8-27b',
    reasoning: 'openai/gpt-oss-120b',
    images: 'by-url',
    tools: 'as-required',
    refused: { logit_bias: { 50256: -100 } },
  },
  together: { model: 'minimax/minimax-m2.7', tools: 'as-required' },
  fireworks: { model: 'zai/glm-5.1', reasoning: 'zai/glm-5.1', tools: 'as-required' },
  cerebras: {
    model: 'zai/glm-4.7',
    // The sandbox cannot see that reasoning is on.
    reasoning: 'zai/glm-4.7',
    showsReasoning: false,
    tools: 'as-required',
    refused: { frequency_penalty: 0.5 },
  },
  openrouter: {
    model: 'meta/llama-4-maverick',
    reasoning: 'moonshotai/kimi-k2-thinking',
    images: 'by-url',
    tools: 'as-required',
  },
  huggingface: {
    model: 'qwen/qwen3.6-27b',
    reasoning: 'qwen/qwen3.6-27b',
    images: 'by-url',
    tools: 'as-required',
  },
  'self-hosted': {
    model: 'qwen/qwen3.6-27b',
    reasoning: 'qwen/qwen3.6-27b',
    images: 'as-bytes',
    tools: 'as-required',
  },
};
