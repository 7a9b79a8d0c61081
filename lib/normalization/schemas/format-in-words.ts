/**
 * Response formats that a target has no mode for: the format is described to the model in words, on record. That is no guarantee, so
 * the answer is checked against the schema (`lib/pipeline/generation/json/checked-answer.ts`).
 */
import type { Target, Traits } from '../../core/catalog/model.ts';
import { renamePath } from '../../core/generation/original/source.ts';
import type {
  GenerationRequest,
  Message,
  ResponseFormat,
  SystemMessage,
} from '../../core/generation/request.ts';
import { withParameter } from '../parameter-rules.ts';
import type { Change, RequestRule } from '../rule.ts';

/** The modes that a target has for this request: for schemas, only for JSON objects of any form, or none. */
type ModeOf = (request: GenerationRequest, target: Target) => Traits['structuredOutput'];

type JsonFormat = Exclude<ResponseFormat, { type: 'text' }>;

export function formatInWords(modeOf: ModeOf): RequestRule {
  return (request, target) => {
    const { response_format: format } = request.parameters;
    if (format === undefined || format.type === 'text') return undefined;
    const mode = modeOf(request, target);
    if (mode === 'schema' || (mode === 'object' && format.type === 'json_object')) return undefined;
    const kept = mode === 'object' ? { type: 'json_object' as const } : undefined;
    return {
      request: {
        ...request,
        parameters: withParameter(request.parameters, 'response_format', kept),
        messages: withInstruction(request.messages, instructionFor(format)),
      },
      changes: [changeOf(format, kept, request)],
    };
  };
}

function changeOf(
  format: JsonFormat,
  kept: { readonly type: string } | undefined,
  { parameterPaths }: GenerationRequest,
): Change {
  const noun = format.type === 'json_schema' ? 'The schema' : 'The format';
  return {
    param: renamePath('response_format', parameterPaths),
    action: kept ? 'override' : 'strip',
    before: format.type,
    after: kept?.type ?? null,
    reason: `The model has no such response format in this request. ${noun} is described to it in words.`,
  };
}

/** Describes the required form of the answer. */
function instructionFor(format: JsonFormat): string {
  const { schema, description } = format.type === 'json_schema' ? format.json_schema : {};
  const form = schema ? ` that is valid under this JSON Schema: ${JSON.stringify(schema)}` : '';
  const purpose = description === undefined ? '' : ` It holds: ${description}`;
  return `Write your final answer as one JSON object${form}. Write nothing before or after it.${purpose}`;
}

/** Some hosts accept only one system message, and only as the first message. */
function withInstruction(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: [{ type: 'text', text }] }, ...messages];
  const instructed: SystemMessage = { ...first, content: [...first.content, { type: 'text', text }] };
  return [instructed, ...rest];
}
