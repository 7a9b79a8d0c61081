/** Custom tools, which take a text, for targets that know only functions: each becomes a function with one text. */
import { pathOf } from '../../core/generation/original/source.ts';
import type { GenerationRequest, Tool } from '../../core/generation/request.ts';
import type { Change, Normalized } from '../rule.ts';
import { inputArguments, inputName } from './custom-input.ts';

export function customAsFunctions(request: GenerationRequest): Normalized {
  const changes: Change[] = [];
  const tools = request.tools.map((tool) => {
    if (tool.kind !== 'custom') return tool;
    changes.push({
      param: pathOf(tool, 'kind'),
      action: 'override',
      before: 'custom',
      after: 'function',
      reason:
        'The model has no custom tools: it is given a function with one text, and its call comes back as a custom one.',
    });
    return asFunction(tool);
  });
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant' || !message.toolCalls.some(({ kind }) => kind)) return message;
    const toolCalls = message.toolCalls.map(({ kind, ...call }) =>
      kind ? { ...call, arguments: inputArguments(call.arguments) } : call,
    );
    return { ...message, toolCalls };
  });
  const { tool_choice: choice } = request.parameters;
  const parameters =
    typeof choice === 'object' && choice.kind
      ? { ...request.parameters, tool_choice: withoutKind(choice) }
      : request.parameters;
  return { request: { ...request, tools, messages, parameters }, changes };
}

const withoutKind = <Identity extends { readonly kind?: 'custom' }>({ kind: _, ...others }: Identity) =>
  others;

function asFunction(tool: Tool): Tool {
  const { kind, format, original, description = '', ...others } = tool;
  const { name, namespace } = tool;
  const identity = original ?? { name, ...(namespace !== undefined && { namespace }), ...(kind && { kind }) };
  const combined = [description, rulesOf(format)].filter((text) => text !== '').join('\n\n');
  return {
    ...others,
    ...(combined !== '' && { description: combined }),
    parameters: {
      type: 'object',
      properties: { [inputName]: { type: 'string', description: 'The whole text for the tool.' } },
      required: [inputName],
      additionalProperties: false,
    },
    original: identity,
  };
}

/** The grammar in words: providers without custom tools cannot enforce one. */
function rulesOf({ type, syntax, definition }: Readonly<Record<string, unknown>> = {}): string {
  if (type !== 'grammar' || typeof definition !== 'string') return '';
  const named = syntax === 'regex' ? 'match this regular expression' : 'follow this Lark grammar';
  return `'${inputName}' must ${named}:\n${definition}`;
}
