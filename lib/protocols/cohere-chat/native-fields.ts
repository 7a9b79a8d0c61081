/** The fields of Cohere's chat API that callers may give as `native_fields`. Source: Cohere's API reference, Chat (v2). */
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
  texts,
} from '../../core/generation/original/native-fields.ts';
import { reasoningEfforts } from '../../core/generation/parameters.ts';

interface Thinking {
  readonly type?: string;
  readonly token_budget?: number;
}

export const cohereFields: NativeFields = {
  ...namesakes(number, 'temperature', 'frequency_penalty', 'presence_penalty', 'seed'),
  ...namesakes(json, 'response_format', 'tool_choice'),
  p: over(number, 'top_p'),
  k: over(number, 'top_k'),
  stop_sequences: over(texts, 'stop'),
  logprobs: over(flag, 'logprobs'),
  max_tokens: parameter('max_completion_tokens', 'count'),
  safety_mode: text,
  citation_options: object({ mode: text }),
  strict_tools: flag,
  raw_prompting: flag,
  reasoning_effort: sameChoice('reasoning_effort', reasoningEfforts),
  thinking: object(
    { type: { type: 'text', values: ['enabled', 'disabled'] }, token_budget: { type: 'count' } },
    {
      reads: ({ type, token_budget: budget }: Thinking) => {
        if (type === 'disabled')
          return { parameters: { reasoning_effort: 'none', reasoning_max_tokens: undefined } };
        const left = budget === undefined ? { left: { thinking: { type } } } : {};
        return { parameters: { reasoning_effort: undefined, reasoning_max_tokens: budget }, ...left };
      },
    },
  ),
};
