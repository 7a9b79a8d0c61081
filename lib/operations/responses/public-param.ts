/**
 * Where the caller of the Responses operation finds what the house names in its own words: the fields of a generation
 * request, which are those of chat.
 */
import { type Path, publicMessageParam, type ReadMessage } from './public-message-param.ts';
import type { ResponsesInput } from './read.ts';
import { functionOf, isFunction } from './read-tools.ts';
import type { ResponsesBody } from './schema.ts';

type Input = Pick<ResponsesInput, 'body' | 'request'>;

/** `earlier`: how many items come before the caller's own. What is unknown stays as it is. */
export function publicParams(input: Input, read: readonly ReadMessage[], earlier: number) {
  return (param: string): string => {
    const [head = '', ...rest] = param.split('.');
    if (head === 'messages' && rest.length > 0) {
      const message = read[Number(rest[0])];
      return message ? publicMessageParam(input.body.input, message, rest.slice(1), earlier) : param;
    }
    if (head === 'tools' && rest[1] === 'function')
      return toolParam(input, Number(rest[0]), rest.slice(2)) ?? param;
    return [nameOf(input.body, head), ...fieldsOf(input.body, head, rest)].join('.');
  };
}

/** Functions are counted among themselves in the house, and may be fewer than the caller gave. */
function toolParam({ body, request }: Input, index: number, rest: Path): string | undefined {
  const name = request.tools[index]?.name;
  const tools = body.tools ?? [];
  const position = tools.findIndex((tool) => isFunction(tool) && functionOf(tool).name === name);
  const tool = tools[position];
  return tool && ['tools', `${position}`, ...('function' in tool ? ['function'] : []), ...rest].join('.');
}

const names: ReadonlyMap<string, string> = new Map([
  ['messages', 'input'],
  ['max_tokens', 'max_output_tokens'],
  ['max_completion_tokens', 'max_output_tokens'],
  ['reasoning_effort', 'reasoning.effort'],
  ['response_format', 'text.format'],
  ['verbosity', 'text.verbosity'],
]);

function nameOf({ reasoning, top_logprobs }: ResponsesBody, head: string): string {
  if (head === 'reasoning_summary') {
    return reasoning?.summary == null && reasoning?.generate_summary
      ? 'reasoning.generate_summary'
      : 'reasoning.summary';
  }
  if (head === 'logprobs') return top_logprobs == null ? 'include' : 'top_logprobs';
  return names.get(head) ?? head;
}

/** Without the step that the caller's form does not have. */
function fieldsOf({ text, tool_choice: choice }: ResponsesBody, head: string, rest: Path): Path {
  const [first, ...others] = rest;
  const format = text?.format;
  const isFlat =
    (head === 'response_format' && first === 'json_schema' && format && !('json_schema' in format)) ||
    (head === 'tool_choice' && first === 'function' && typeof choice === 'object' && !('function' in choice));
  return isFlat ? others : rest;
}
