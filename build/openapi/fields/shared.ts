/** Descriptions of the fields that several operations have. */
import type { Fields } from '../describe-fields.ts';

/** The same fields below a path. */
export function below(path: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${path}.${name}`, text]));
}

export const model = {
  model:
    'The model to call, as `owner/model`; or another name of it, if no other model has it. `GET /v1/models` lists the ids.',
};

/** Fields of OpenAI's platform, which few other providers have. */
export const platform: Fields = {
  prompt_cache_key: "A key for the provider's prompt cache, on providers that have this setting.",
  prompt_cache_retention:
    'How long the provider keeps its prompt cache, on providers that have this setting.',
  prompt_cache_options: "Options of the provider's prompt cache, on providers that have them.",
  'prompt_cache_options.mode': 'Whether the provider chooses what it caches.',
  'prompt_cache_options.ttl': 'How long it is kept.',
  safety_identifier:
    'An identifier of your end user for the safety checks of the provider. Claude gets it as the end user where `user` is not set.',
  moderation:
    'Has input and output classified. OpenAI does it for its models; for all others the gateway calls the model that is named.',
  'moderation.model': 'The model that classifies, for example `omni-moderation-latest`.',
  'moderation.policy':
    'For `input` and `output`, the `mode`: `score` (the default) stops nothing, `block` what is flagged.',
};

export const user = { user: 'An identifier of your end user. Sent to providers that accept one.' };

export const usage = {
  usage: 'What `usage` of the answer has, as OpenRouter has it.',
  'usage.include':
    'Whether it has `cost`: what the request is charged, in US dollars, null if it is not known. Default: false.',
};

/** Where a stream has its usage in a chunk of its own. */
export const usageOfChunks = {
  ...usage,
  'usage.include': `${usage['usage.include']} A stream then ends with a usage chunk.`,
};

export const extra = {
  extra: "The gateway's own options.",
  'extra.fallbacks':
    'Models to try, in this order, when the first one fails before its first token. A request is sent to at most three targets.',
  'extra.dry_run':
    '`true`: nothing is sent, reserved or charged. The answer is empty, and `debug.dry_run` says what would be sent, to whom, and for how much at most. It counts as a request. Default: false.',
  'extra.repair':
    'Whether a model whose JSON answer does not fit the schema is asked once more, with what is wrong. Both answers are counted. A stream then begins when the answer has been checked. Default: false.',
  'extra.debug':
    'What to report in the field `debug` of the answer: `normalizations` (parameters that the gateway changed), `deprecations`, `routing` (targets that were tried), `cost` (what the request is charged, in US dollars; also as `usage.cost`), `cache` (whether the answer is a cached one, and why it was not looked up).',
  'extra.guardrails':
    'Ids of guardrails of your tenant that apply to this request, beside those that apply anyway. An input that they do not allow is a 400 with the code `content_policy_violation`.',
};

export const cached = {
  'extra.cache':
    'Gives the answer of an earlier, equal request, at no charge, or keeps the answer of this one. `{}` is enough. The header `x-gateway-cache: true` means the same, and `false` that there is no such answer, whatever the tenant has set.',
  'extra.cache.ttl': 'How long an answer is kept, and how old one may be, in seconds. Default: 300.',
  'extra.cache.scope':
    'Who gets the answer: those with the same `key`, all keys of the `tenant`, or the same `user`, as `x-gateway-user-id` names it. Default: `key`.',
  'extra.cache.refresh': 'Whether a new answer takes the place of the cached one. Default: false.',
};

export const resumable = {
  'extra.resumable':
    'Whether the stream can be read on after its connection broke. Its events have numbers (`id`), and the answer has the header `x-stream-id`, with which `GET /v1/streams/{stream_id}` reads it for 24 hours. The request then goes on when you disconnect. Only with `stream: true`. Default: false.',
};

export const sampling = {
  temperature:
    'Sampling temperature: higher values give more varied answers. Removed or changed, and recorded, for models that do not accept it.',
  top_p:
    'Nucleus sampling: only the tokens that make up this share of the probability are considered. Removed, and recorded, for models that do not accept it.',
  top_logprobs: 'How many of the most likely tokens to return for each position.',
  parallel_tool_calls: 'Whether the model may call several tools at once.',
  service_tier: 'The processing tier, on providers that have tiers.',
};

export const cacheControl = {
  cache_control:
    'Marks the end of a prefix that the provider should cache. Claude: without any marker, the gateway sets markers itself. Gemini: the prefix up to the last marker becomes cached content. Other providers cache on their own.',
  'cache_control.type': 'Always `ephemeral`.',
  'cache_control.ttl':
    'How long the prefix is cached, for example `300s`, `10m` or `1h`. Claude: five minutes, or an hour for anything longer. Gemini: five minutes until it is used a second time, on record, then 10 minutes when it is not set, and no longer than the gateway is set up for, an hour unless it says otherwise.',
};

export const functionFields = {
  name: 'The name of the function: letters, digits, dots, colons, underscores and dashes.',
  description: 'What the function does. The model uses it to decide when to call the function.',
  parameters: 'A JSON Schema of the arguments. A function without it takes no arguments.',
  strict: 'Whether the arguments must follow the schema exactly, on providers that can enforce it.',
};

export const jsonSchemaFields = {
  name: 'A name for the schema.',
  description: 'What the answer is for.',
  schema: 'The JSON Schema that the answer must follow.',
  strict: 'Whether the answer must follow the schema exactly, on providers that can enforce it.',
};
