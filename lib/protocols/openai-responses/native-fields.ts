/** The fields of Responses requests that callers may give as `native_fields`. Source: CreateResponse in OpenAI's schema. */
import {
  flag,
  json,
  type NativeFields,
  namesakes,
  number,
  object,
  over,
  parameter,
  sameChoice,
  text,
} from '../../core/generation/original/native-fields.ts';
import { reasoningEfforts } from '../../core/generation/parameters.ts';
import { platformFields } from '../openai-chat/native-fields.ts';

const effort = sameChoice('reasoning_effort', reasoningEfforts);
const verbosity = sameChoice('verbosity', ['low', 'medium', 'high']);
const summary = sameChoice('reasoning_summary', ['auto', 'concise', 'detailed']);

export const responsesFields: NativeFields = {
  ...namesakes(number, 'temperature', 'top_p', 'top_logprobs'),
  ...namesakes(flag, 'parallel_tool_calls', 'logprobs'),
  ...namesakes(text, 'user', 'prompt_cache_key', 'safety_identifier'),
  ...namesakes(json, 'metadata', 'tool_choice'),
  truncation: text,
  text: object({ format: over(json, 'response_format'), verbosity }),
  reasoning: object({
    effort,
    summary,
    generate_summary: summary,
    context: sameChoice('reasoning_context', ['auto', 'current_turn', 'all_turns']),
    // Answers in the mode `pro` are longer, and no source says whether the limit of output holds for all of them.
    mode: { ...text, unbounded: true },
  }),
  max_output_tokens: parameter('max_completion_tokens', 'count'),
  max_tool_calls: parameter('max_tool_calls', 'count'),
  ...platformFields,
  // A chat request may go over this protocol: these are its names of the same parameters.
  max_completion_tokens: parameter('max_completion_tokens', 'count'),
  max_tokens: parameter('max_completion_tokens', 'count'),
  reasoning_effort: effort,
  verbosity,
};
