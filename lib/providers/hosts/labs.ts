/** Hosts of the host table: labs that serve their own models. One row each. */
import { flag, json, number, object, over, text, texts } from '../../core/generation/native-fields.ts';
import type { Host } from './host.ts';

const thinkingSwitch = {
  on: { thinking: { type: 'enabled' } },
  off: { thinking: { type: 'disabled' } },
};

/** As the caller's own, in place of an effort. */
const thinking = over(object({ type: text }), 'reasoning_effort', 'reasoning_max_tokens');

export const labs = {
  // Validates strictly: a field that it does not know is a 422.
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    dialect: {
      names: { seed: 'random_seed', max_completion_tokens: 'max_tokens' },
      requiredToolChoice: 'any',
      shortToolIds: true,
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
      alwaysReportsUsage: true,
      continues: { field: 'prefix', isRequired: true },
    },
    test: {
      model: 'mistral/mistral-large-2512',
      reasoning: 'mistral/mistral-medium-2604',
      images: 'by-url',
      tools: 'as-required',
      refused: { logit_bias: { 50256: -100 } },
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
    test: {
      model: 'xai/grok-4.20-0309-non-reasoning',
      reasoning: 'xai/grok-4.3',
      images: 'by-url',
      tools: 'as-required',
      refused: { logit_bias: { 50256: -100 } },
    },
  },
  // The reasoning of a turn that called tools must come back to it.
  deepseek: {
    baseUrl: 'https://api.deepseek.com',
    dialect: {
      names: { user: 'user_id', max_completion_tokens: 'max_tokens' },
      efforts: { effort: { ...thinkingSwitch, field: 'reasoning_effort' } },
      replay: { field: 'reasoning_content', formats: ['deepseek'] },
      // Source: DeepSeek's guide "Chat Prefix Completion (Beta)".
      continued: { prefix: true },
      // Source: DeepSeek's guide "Thinking Mode".
      nativeFields: { thinking },
    },
    continuedPath: '/beta',
    unsupported: ['seed', 'logit_bias', 'parallel_tool_calls', 'service_tier'],
    replacedEfforts: { medium: 'high', xhigh: 'max' },
    choices: 1,
    sandbox: {
      reasoning: 'reasoning_content',
      refuses: ['user', 'seed', 'logit_bias', 'n'],
      ignores: ['parallel_tool_calls', 'service_tier', 'max_completion_tokens'],
      requiresReasoning: 'reasoning_content',
      continues: { field: 'prefix', path: '/beta' },
    },
    test: {
      model: 'deepseek/deepseek-flash',
      reasoning: 'deepseek/deepseek-v4-pro',
      images: 'by-url',
      tools: 'as-required',
      refused: { seed: 7 },
    },
  },
  // The reasoning of a turn that called tools must come back to it.
  moonshot: {
    baseUrl: 'https://api.moonshot.ai/v1',
    dialect: {
      efforts: { switch: thinkingSwitch },
      continued: { partial: true },
      replay: { field: 'reasoning_content', formats: ['moonshot'] },
      // Source: Moonshot's API reference, Chat.
      nativeFields: { thinking: { ...thinking, fields: { type: text, keep: text } } },
    },
    unsupported: ['logit_bias', 'service_tier'],
    choices: 1,
    takesImageUrls: false,
    sandbox: {
      reasoning: 'reasoning_content',
      refuses: ['frequency_penalty', 'presence_penalty', 'temperature', 'top_p', 'n'],
      ignores: ['logit_bias', 'service_tier'],
      requiresReasoning: 'reasoning_content',
      continues: { field: 'partial' },
    },
    test: {
      model: 'moonshotai/kimi-k2.6',
      reasoning: 'moonshotai/kimi-k3',
      images: 'as-bytes',
      tools: 'as-required',
      refused: { temperature: 0.4 },
    },
  },
  // Qwen at Model Studio, its international site.
  alibaba: {
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    dialect: {
      names: { max_completion_tokens: 'max_tokens' },
      efforts: { switch: { on: { enable_thinking: true }, off: { enable_thinking: false } } },
      takesCacheControl: true,
      continued: { partial: true },
      // Source: Model Studio's reference of the OpenAI-compatible chat API. A search, and images in full size, cost more.
      nativeFields: {
        enable_thinking: over(flag, 'reasoning_effort', 'reasoning_max_tokens'),
        thinking_budget: over(number, 'reasoning_max_tokens'),
        preserve_thinking: flag,
        translation_options: json,
      },
    },
    continuesWhileReasoning: false,
    unsupported: ['frequency_penalty', 'service_tier'],
    embeddings: { batchSize: 10 },
    sandbox: {
      reasoning: 'reasoning_content',
      refuses: ['frequency_penalty', 'reasoning_effort'],
      ignores: ['service_tier', 'max_completion_tokens'],
      continues: { field: 'partial', onlyWithoutThinking: true },
    },
    test: {
      model: 'alibaba/qwen3.7-plus',
      reasoning: 'alibaba/qwen3.7-max',
      images: 'by-url',
      tools: 'as-required',
      refused: { frequency_penalty: 0.5 },
    },
  },
  // It can neither require a call nor forbid one: without tools there is none.
  zai: {
    baseUrl: 'https://api.z.ai/api/paas/v4',
    dialect: {
      names: { max_completion_tokens: 'max_tokens' },
      efforts: { effort: { ...thinkingSwitch, field: 'reasoning_effort' }, switch: thinkingSwitch },
      noneLeavesOutTools: true,
      withoutStrictTools: true,
      alwaysReportsUsage: true,
      // Source: Z.AI's API reference, Chat Completion.
      nativeFields: {
        thinking: { ...thinking, fields: { type: text, clear_thinking: flag } },
        do_sample: flag,
        request_id: text,
        user_id: text,
      },
      errorCodes: {
        1113: 'upstream_quota',
        1301: 'upstream_content_policy',
        // Too many requests at once, and in a while.
        1302: 'upstream_rate_limited',
        1303: 'upstream_rate_limited',
      },
    },
    unsupported: ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'],
    maxTemperature: 1,
    choices: 1,
    takesNames: false,
    sandbox: {
      reasoning: 'reasoning_content',
      refuses: ['frequency_penalty', 'presence_penalty', 'stream_options', 'max_completion_tokens'],
      ignores: ['logit_bias', 'service_tier', 'n', 'name'],
      maxTemperature: 1,
      alwaysReportsUsage: true,
    },
    test: {
      model: 'zai/glm-5.2',
      reasoning: 'zai/glm-5.2',
      tools: 'as-decided',
      refused: { frequency_penalty: 0.5 },
    },
  },
  // It writes its reasoning at the start of the answer, and requires it back there.
  minimax: {
    baseUrl: 'https://api.minimax.io/v1',
    dialect: {
      efforts: {
        switch: { on: { thinking: { type: 'adaptive' } }, off: { thinking: { type: 'disabled' } } },
      },
      noneLeavesOutTools: true,
      withoutStrictTools: true,
      readsThinkTags: true,
      replay: { field: 'think', formats: ['minimax'] },
      // Source: MiniMax's API reference, OpenAI-compatible text generation.
      nativeFields: { thinking, reasoning_split: flag, mask_sensitive_info: flag },
      reportObject: { object: 'base_resp', code: 'status_code', message: 'status_msg' },
      errorCodes: {
        1002: 'upstream_rate_limited',
        1004: 'upstream_credentials',
        1008: 'upstream_quota',
        1026: 'upstream_content_policy',
        1027: 'upstream_content_policy',
        1039: 'upstream_rate_limited',
        2013: 'upstream_bad_request',
        2049: 'upstream_credentials',
      },
    },
    unsupported: [
      ...(['frequency_penalty', 'presence_penalty', 'parallel_tool_calls', 'seed'] as const),
      ...(['logit_bias', 'service_tier'] as const),
    ],
    choices: 1,
    sandbox: {
      reasoning: 'tags',
      refuses: ['reasoning_effort', 'frequency_penalty', 'presence_penalty'],
      ignores: ['parallel_tool_calls', 'seed', 'logit_bias', 'service_tier', 'n'],
    },
    test: {
      model: 'minimax/MiniMax-M3',
      reasoning: 'minimax/MiniMax-M3',
      images: 'by-url',
      tools: 'as-decided',
      refused: { frequency_penalty: 0.5 },
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
