/** Where the caller of the Responses operation finds parameters that have other names in an internal request. */
import type { FieldPaths } from '../../../core/generation/original/source.ts';
import { nativePaths } from '../../native-fields.ts';
import type { ResponsesBody } from './schema.ts';

const paths: FieldPaths = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning.effort',
  reasoning_summary: 'reasoning.summary',
  reasoning_context: 'reasoning.context',
  response_format: 'text.format',
  verbosity: 'text.verbosity',
};

export function parameterPaths(body: ResponsesBody): FieldPaths {
  const { reasoning, text, tool_choice: choice, top_logprobs } = body;
  const included = body.include?.indexOf('message.output_text.logprobs') ?? 0;
  const isOldSummary = reasoning?.summary == null && reasoning?.generate_summary != null;
  const isNestedFormat = text?.format != null && 'json_schema' in text.format;
  const isNestedChoice = typeof choice === 'object' && choice !== null && 'function' in choice;
  return {
    ...paths,
    ...(isOldSummary && { reasoning_summary: 'reasoning.generate_summary' }),
    logprobs: top_logprobs == null ? `include.${included}` : 'top_logprobs',
    'response_format.json_schema': isNestedFormat ? 'text.format.json_schema' : 'text.format',
    'tool_choice.function': isNestedChoice ? 'tool_choice.function' : 'tool_choice',
    ...nativePaths(body),
  };
}
