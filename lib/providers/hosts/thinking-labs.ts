/** Hosts of the host table: labs whose own models think or not by a switch of their own. One row each. */
import { flag, json, number, object, over, text } from '../../core/generation/original/native-fields.ts';
import type { Host } from './host.ts';

const thinkingSwitch = {
  on: { thinking: { type: 'enabled' } },
  off: { thinking: { type: 'disabled' } },
};

/** As the caller's own, in place of an effort. */
const thinking = over(object({ type: text }), 'reasoning_effort', 'reasoning_max_tokens');

export const thinkingLabs = {
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
  },
  // The reasoning of a turn that called tools must come back to it.
  moonshot: {
    baseUrl: 'https://api.moonshot.ai/v1',
    dialect: {
      efforts: { switch: thinkingSwitch },
      continued: { partial: true },
      refusesEmptyAnswers: true,
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
      refusesEmptyAnswers: true,
      continues: { field: 'partial' },
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
    speaks: 'minimax',
    sandbox: {
      reasoning: 'tags',
      refuses: ['reasoning_effort', 'frequency_penalty', 'presence_penalty'],
      ignores: ['parallel_tool_calls', 'seed', 'logit_bias', 'service_tier', 'n'],
    },
  },
} satisfies Readonly<Record<string, Host>>;
