/**
 * What callers may give in `native_fields` for a server of the operator's own, beside the protocol's fields: how vLLM, Ollama and
 * llama.cpp sample and how they render the prompt. Not what holds the server's memory or order (`num_ctx`, `priority`,
 * `use_beam_search`), and no template of the caller's, which would run there.
 *
 * Sources: docs.vllm.ai, OpenAI-Compatible Server, "Extra Parameters for Chat API"; ollama/ollama docs/modelfile.md;
 * ggml-org/llama.cpp tools/server/README.md.
 */
import {
  flag,
  json,
  type NativeFields,
  namesakes,
  number,
  object,
  over,
  parameter,
  text,
  texts,
} from '../../core/generation/original/native-fields.ts';

const sampling: NativeFields = {
  typical_p: number,
  repeat_penalty: over(number, 'repetition_penalty'),
  repeat_last_n: number,
  mirostat: number,
  mirostat_eta: number,
  mirostat_tau: number,
};

export const ownServerFields: NativeFields = {
  ...sampling,
  length_penalty: number,
  min_tokens: number,
  stop_token_ids: json,
  bad_words: texts,
  ignore_eos: flag,
  include_stop_str_in_output: flag,
  skip_special_tokens: flag,
  spaces_between_special_tokens: flag,
  add_special_tokens: flag,
  allowed_token_ids: json,
  thinking_token_budget: number,
  chat_template_kwargs: json,
  structured_outputs: over(json, 'response_format'),
  guided_json: over(json, 'response_format'),
  guided_regex: over(text, 'response_format'),
  guided_choice: over(texts, 'response_format'),
  guided_grammar: over(text, 'response_format'),
  grammar: over(text, 'response_format'),
  include_reasoning: flag,
  cache_salt: text,
  cache_prompt: flag,
  request_id: text,
  keep_alive: json,
  options: object({
    ...sampling,
    ...namesakes(number, 'temperature', 'top_p', 'top_k', 'min_p', 'seed'),
    ...namesakes(number, 'presence_penalty', 'frequency_penalty'),
    stop: over(texts, 'stop'),
    num_predict: parameter('max_tokens', 'count'),
  }),
};
