/** Hosts of the host table: services, routers and servers that run models of many owners. One row each. */
import {
  flag,
  json,
  number,
  object,
  over,
  parameter,
  sameChoice,
  text,
  texts,
} from '../../core/generation/original/native-fields.ts';
import { reasoningEfforts } from '../../core/generation/parameters.ts';
import { claudeFormat, geminiFormat, openaiFormat } from '../../core/generation/reasoning-format.ts';
import { openSampling } from '../../normalization/rules.ts';
import type { Host } from './host.ts';
import { ownServerFields } from './own-server-fields.ts';

const effort = { off: { reasoning: { enabled: false } }, field: 'reasoning.effort' };
const routerEffort = sameChoice('reasoning_effort', reasoningEfforts);
const routerTokens = parameter('reasoning_max_tokens', 'count');
const onOff = { on: { reasoning: { enabled: true } }, off: { reasoning: { enabled: false } } };

export const inference = {
  groq: {
    baseUrl: 'https://api.groq.com/openai/v1',
    dialect: {
      efforts: { switch: { on: { reasoning_effort: 'default' }, off: { reasoning_effort: 'none' } } },
      // Without it some models write their reasoning into the answer.
      forReasoners: { reasoning_format: 'parsed' },
      formatWithoutTools: true,
      // The flex tier is full.
      errorStatuses: { 498: 'upstream_overloaded' },
      // Source: groq/groq-python, types/chat/completion_create_params.py.
      nativeFields: { reasoning_format: text, include_reasoning: flag, citation_options: text },
    },
    unsupported: ['logprobs', 'top_logprobs', 'logit_bias'],
    unsupportedTiers: ['default', 'scale', 'priority', 'fast'],
    choices: 1,
    takesNames: false,
    speaks: true,
    transcribes: true,
    sandbox: {
      reasoning: 'reasoning',
      refuses: ['logprobs', 'top_logprobs', 'logit_bias', 'n', 'name'],
    },
  },
  together: {
    baseUrl: 'https://api.together.xyz/v1',
    dialect: {
      names: { max_completion_tokens: 'max_tokens' },
      efforts: { switch: onOff },
      // Source: togethercomputer/together-python, types/chat_completions.py.
      nativeFields: {
        reasoning: over(object({ enabled: flag }), 'reasoning_effort'),
        chat_template_kwargs: json,
        context_length_exceeded_behavior: text,
        echo: flag,
      },
    },
    unsupported: ['service_tier'],
    // Source: togethercomputer/together-python, types/chat_completions.py.
    takes: openSampling,
    embeddings: {},
    rerank: {},
    // Source: docs.together.ai/reference/audio-speech.
    speaks: true,
    transcribes: 'together',
    sandbox: {
      reasoning: 'reasoning',
      ignores: ['service_tier', 'max_completion_tokens'],
      takes: ['top_k', 'min_p', 'repetition_penalty'],
    },
  },
  fireworks: {
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    dialect: {
      // Source: fw-ai-external/python-sdk, types/chat/completion_create_params.py.
      nativeFields: {
        typical_p: number,
        mirostat_lr: number,
        mirostat_target: number,
        ignore_eos: flag,
        context_length_exceeded_behavior: text,
        reasoning_history: text,
      },
    },
    unsupported: ['service_tier'],
    // Source: fw-ai-external/python-sdk, types/chat/completion_create_params.py.
    takes: [...openSampling, 'prediction'],
    embeddings: {},
    rerank: {},
    sandbox: {
      reasoning: 'reasoning_content',
      ignores: ['service_tier'],
      takes: ['top_k', 'min_p', 'repetition_penalty', 'prediction'],
    },
  },
  cerebras: {
    baseUrl: 'https://api.cerebras.ai/v1',
    dialect: {
      // Its models with a switch think unless it is off; there is no value for on.
      efforts: { switch: { off: { reasoning_effort: 'none' } } },
      replay: { field: 'reasoning', formats: ['cerebras'] },
      // Source: Cerebras/cerebras-cloud-sdk-python, types/chat/completion_create_params.py.
      nativeFields: {
        clear_thinking: flag,
        disable_reasoning: over(flag, 'reasoning_effort'),
        reasoning_format: text,
      },
    },
    unsupported: ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'],
    sandbox: {
      reasoning: 'reasoning',
      refuses: ['frequency_penalty', 'presence_penalty', 'logit_bias'],
      ignores: ['service_tier'],
    },
  },
  // A router: what a model supports depends on the host behind it, and the router leaves out what that host does not.
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    dialect: {
      always: { usage: { include: true } },
      efforts: { effort, switch: onOff, budget: effort, adaptive: effort, level: effort },
      takesCacheControl: true,
      // Source: openrouter.ai/docs/api_reference/parameters and its guide "Provider Routing". Whichever host it is told to use,
      // or not to use, may be a dearer one.
      nativeFields: {
        provider: object(
          {
            order: texts,
            only: texts,
            ignore: texts,
            allow_fallbacks: flag,
            require_parameters: flag,
            data_collection: text,
            zdr: flag,
            sort: json,
            quantizations: texts,
            max_price: json,
          },
          { unbounded: true },
        ),
        reasoning: object({ effort: routerEffort, max_tokens: routerTokens, exclude: flag, enabled: flag }),
        include_reasoning: flag,
        top_a: number,
        structured_outputs: flag,
      },
      // It passes ids on to OpenAI. Source: openclaw/openclaw pull 875.
      maxToolIdLength: 40,
      // It passes details through from the model's owner, in the owner's format.
      replay: {
        field: 'reasoning_details',
        formats: ['unknown', claudeFormat, geminiFormat, openaiFormat, 'xai-responses-v1'],
      },
    },
    // Source: openrouter.ai/docs/api_reference/parameters.
    takes: [...openSampling, 'verbosity'],
    embeddings: {},
    rerank: { always: {} },
    sandbox: {
      reasoning: 'details',
      takes: ['top_k', 'min_p', 'repetition_penalty', 'verbosity'],
      // Source: OpenRouter "Usage Accounting".
      statesCost: 'cost',
    },
  },
  // A router for many hosts of open models.
  huggingface: {
    baseUrl: 'https://router.huggingface.co/v1',
    unsupported: ['service_tier'],
    sandbox: { reasoning: 'reasoning_content', ignores: ['service_tier'] },
  },
  // A server of the operator's own: vLLM, Ollama, llama.cpp. Its address is a setting, its models are catalog rows.
  'self-hosted': {
    needsKey: false,
    dialect: { readsThinkTags: true, nativeFields: ownServerFields },
    unsupported: ['service_tier'],
    // It may be in a private network: only the gateway's guarded fetch follows the addresses that callers give.
    takesImageUrls: false,
    // Source: docs.vllm.ai, sampling parameters.
    takes: openSampling,
    embeddings: {},
    // Source: docs.vllm.ai, Rerank API. Its answers have the documents.
    rerank: { takes: ['instruction'] },
    speaks: true,
    transcribes: true,
    sandbox: {
      reasoning: 'tags',
      ignores: ['service_tier'],
      takes: ['top_k', 'min_p', 'repetition_penalty'],
    },
  },
} satisfies Readonly<Record<string, Host>>;
