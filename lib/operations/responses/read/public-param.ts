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
    const [head = '', ...rest] = ofSent(input.request, param).split('.');
    if (head === 'messages' && rest.length > 0) {
      const message = read[Number(rest[0])];
      return message ? publicMessageParam(input.body.input, message, rest.slice(1), earlier) : param;
    }
    if (head === 'tools' && rest[1] === 'function')
      return toolParam(input, Number(rest[0]), rest.slice(2)) ?? param;
    return [nameOf(input.body, head), ...fieldsOf(input.body, head, rest)].join('.');
  };
}

/**
 * Brackets are a provider's way to count, and it counts what it was sent: the house knows which tool that is, but not
 * which message, for one may have become several.
 */
function ofSent({ tools, webSearch }: Input['request'], param: string): string {
  const [field = ''] = param.split('[', 1);
  const [, index, path = ''] = /^tools\[(\d+)\](?:\.(?:function\.)?(.*))?$/.exec(param) ?? [];
  if (index === undefined) return field;
  const functions = tools.map((_, position) => `tools.${position}.function`);
  const sent = webSearch
    ? functions.toSpliced(webSearch.position, 0, `tools.${webSearch.position}`)
    : functions;
  const tool = sent[Number(index)];
  if (tool === undefined) return field;
  return path === '' ? tool : `${tool}.${path}`;
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

function nameOf(body: ResponsesBody, head: string): string {
  const { reasoning, top_logprobs, native_fields: native } = body;
  if (native && Object.hasOwn(native, head) && !Object.hasOwn(body, head)) return `native_fields.${head}`;
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
