/** Hosts of the host table: labs that serve their own models. One row each. */
import { flag, over, text, texts } from '../../core/generation/original/native-fields.ts';
import type { Host } from './host.ts';

export const labs = {
  // Validates strictly: a field that it does not know is a 422.
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    dialect: {
      names: { seed: 'random_seed', max_completion_tokens: 'max_tokens' },
      requiredToolChoice: 'any',
      shortToolIds: true,
      refusesEmptyAnswers: true,
      continued: { prefix: true },
      alwaysReportsUsage: true,
      // Source: ChatCompletionRequest in Mistral's API reference.
      nativeFields: { safe_prompt: flag, prompt_mode: over(text, 'reasoning_effort') },
    },
    unsupported: ['logprobs', 'top_logprobs', 'logit_bias', 'user', 'service_tier'],
    // Sources: strands-agents/harness-sdk pull request 3685; ChatCompletionRequest in Mistral's API reference.
    takes: ['prompt_cache_key', 'metadata'],
    takesNames: false,
    fillInPath: '/fim/completions',
    moderates: true,
    speaks: 'mistral',
    transcribes: 'mistral',
    // Its own client sends them, and its older models refuse a user message directly after a result.
    takesImagesInResults: true,
    embeddings: {
      batchSize: 256,
      maxBytes: 16_384,
      names: { dimensions: 'output_dimension' },
      takesUser: false,
    },
    sandbox: {
      reasoning: 'parts',
      refuses: [
        ...['logprobs', 'top_logprobs', 'logit_bias', 'seed', 'user', 'service_tier', 'name', 'refusal'],
        ...['max_completion_tokens', 'stream_options'],
      ],
      refusesPlatformFields: true,
      // Source of `metadata`: ChatCompletionRequest in Mistral's API reference.
      takes: ['prompt_cache_key', 'metadata'],
      fillIn: '/fim/completions',
      shortToolIds: true,
      refusesEmptyAnswers: true,
      alwaysReportsUsage: true,
      continues: { field: 'prefix', isRequired: true },
    },
  },
  // Its Responses API and its images are in `xai/`. What its models refuse depends on the model, so it is in the catalog.
  xai: {
    baseUrl: 'https://api.x.ai/v1',
    unsupported: ['logit_bias', 'service_tier'],
    sandbox: {
      reasoning: 'reasoning_content',
      refuses: ['frequency_penalty', 'presence_penalty', 'stop', 'logit_bias'],
      refusesFiles: true,
      ignores: ['service_tier'],
      // Source: xAI "Cost Tracking".
      statesCost: 'ticks',
    },
  },
  // Its chat API ended on 2026-09-27: it remains for rows of operators. Answers from a web search. Its turns must alternate, and it does not support tools.
  perplexity: {
    baseUrl: 'https://api.perplexity.ai',
    dialect: {
      names: { max_completion_tokens: 'max_tokens' },
      mergesTurns: true,
      alwaysReportsUsage: true,
      readsThinkTags: true,
      // Source: Perplexity's API reference, Chat Completions. How much of the web is read has a price of its own.
      nativeFields: {
        search_domain_filter: texts,
        search_language_filter: texts,
        search_recency_filter: text,
        search_after_date_filter: text,
        search_before_date_filter: text,
        last_updated_after_filter: text,
        last_updated_before_filter: text,
        search_mode: text,
        language_preference: text,
        return_related_questions: flag,
        disable_search: flag,
      },
    },
    unsupported: [
      ...(['stop', 'seed', 'logprobs', 'top_logprobs', 'logit_bias', 'user'] as const),
      ...(['parallel_tool_calls', 'service_tier'] as const),
    ],
    choices: 1,
    takesNames: false,
    sandbox: {
      refuses: ['tools', 'seed', 'stop', 'stream_options'],
      ignores: [
        ...['logprobs', 'top_logprobs', 'logit_bias', 'user', 'parallel_tool_calls', 'service_tier'],
        ...['max_completion_tokens', 'n', 'name'],
      ],
      alternates: true,
      alwaysReportsUsage: true,
      // Source: Perplexity's API reference, `usage.cost`.
      statesCost: 'total',
    },
  },
} satisfies Readonly<Record<string, Host>>;
