/** Descriptions of the fields of a text completion request. */
import type { Fields } from '../describe-fields.ts';
import { extra, model, sampling, usageOfChunks, user } from './shared.ts';

const { 'extra.repair': _, ...options } = extra;

export const completionsFields: Fields = {
  ...model,
  prompt:
    'The text to continue, or a list with one. Send a request for each prompt. Token ids are not supported.',
  suffix:
    'The text that follows what is generated, for models that fill in, such as `mistral/codestral-latest`. Refused for models that only continue a text.',
  max_tokens:
    "The highest number of tokens to generate, reasoning included. Without it the model's own limit holds, and not the 16 tokens of OpenAI's older models.",
  temperature: sampling.temperature,
  top_p: sampling.top_p,
  n: 'How many completions to generate. With `stream: true` only 1.',
  best_of: 'Must be the same as `n`: no completion is left out.',
  echo: 'Whether each completion begins with the prompt. Not together with `logprobs`.',
  stream: 'Whether the answer is a stream of server-sent events.',
  stream_options: 'Options of a stream.',
  'stream_options.include_usage': 'Whether the stream ends with a chunk that has the token counts.',
  'stream_options.include_obfuscation': 'Ignored: streams are not obfuscated.',
  logprobs:
    'How many of the most likely tokens to return for each position. `text_offset` counts characters of the generated text.',
  stop: 'A text, or up to four, at which the model stops. They are not part of the answer.',
  frequency_penalty: 'Positive values make tokens less likely the more often they occurred.',
  presence_penalty: 'Positive values make tokens less likely that occurred at all.',
  logit_bias: 'Changes the probability of single tokens, by their ids.',
  seed: 'Asks for the same answer to the same request, as far as the provider can give it.',
  ...user,
  ...usageOfChunks,
  ...options,
  'extra.normalize':
    '`false`: parameters are sent to the provider unchanged, and its errors are returned. Default: true.',
};

export const completionsComponents: Fields = { extra: 'CompletionExtra' };
