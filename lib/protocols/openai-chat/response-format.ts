/**
 * Structured output on hosts that support only part of it: a model without schemas gets the schema as an instruction and, if
 * the host supports it, the JSON mode.
 */
import type { GenerationRequest, Message, SystemMessage } from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import { jsonInstruction } from '../json-tool.ts';
import type { Dialect } from './dialect.ts';

/** The request with a response format that the host supports, and the rest as a system message. */
export function adaptFormat(request: GenerationRequest, target: Target, dialect: Dialect): GenerationRequest {
  const { response_format: format, ...others } = request.parameters;
  if (format === undefined || format.type === 'text') return request;
  const { structuredOutput } = target.model.traits;
  const isAlone = !dialect.formatWithoutTools || request.tools.length === 0;
  const takes = structuredOutput === 'schema' || format.type === 'json_object';
  if (takes && isAlone) return request;
  const wanted = format.type === 'json_schema' ? format.json_schema : undefined;
  const keepsJson = isAlone && structuredOutput === 'object';
  const parameters = keepsJson ? { ...others, response_format: { type: 'json_object' as const } } : others;
  return { ...request, parameters, messages: withInstruction(request.messages, jsonInstruction(wanted)) };
}

/** Some hosts accept only one system message, and only as the first message. */
function withInstruction(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: [{ type: 'text', text }] }, ...messages];
  const instructed: SystemMessage = { ...first, content: [...first.content, { type: 'text', text }] };
  return [instructed, ...rest];
}
