/**
 * Structured answers on hosts that lack a part of them: a model without schemas of its own is told the schema in words
 * and, where the host has it, asked for JSON of any form.
 */
import type { GenerationRequest, Message, SystemMessage } from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import { jsonInstruction } from '../json-tool.ts';
import type { Dialect } from './dialect.ts';

/** The request with a format that the host takes, and what it does not take said in a system message. */
export function settleFormat(
  request: GenerationRequest,
  target: Target,
  dialect: Dialect,
): GenerationRequest {
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

/** Some hosts take one system message only, and only as the first. */
function withInstruction(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: [{ type: 'text', text }] }, ...messages];
  const told: SystemMessage = { ...first, content: [...first.content, { type: 'text', text }] };
  return [told, ...rest];
}
