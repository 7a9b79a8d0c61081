/**
 * Tools of the Converse API, and which of them the model may choose.
 */
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type { GenerationRequest, Message, Tool, ToolChoice } from '../../core/generation/request.ts';
import { type JsonPlan, jsonToolName } from '../json-tool.ts';
import { inputSchema } from '../turns.ts';
import { marked } from './messages.ts';
import type * as wire from './wire.ts';

/**
 * The `toolConfig`, or undefined if there is nothing to declare. A conversation that contains calls or results needs one
 * even if no tool can be called any more.
 */
export function encodeTools(
  request: GenerationRequest,
  plan: JsonPlan,
  choice: ToolChoice | undefined,
): wire.ToolConfig | undefined {
  const { tools, messages } = request;
  const history = messages.some(hasToolBlocks);
  const stubs = tools.length === 0 && history ? formerTools(messages) : [];
  if (plan.type === 'tool') {
    return {
      tools: [...stubs, ...tools, plan.tool].flatMap(encodeTool),
      toolChoice: encodeToolChoice(plan.beside ? 'required' : { name: jsonToolName }),
    };
  }
  if (tools.length === 0) {
    // A choice without tools is sent so that the provider rejects it.
    if (choice && choice !== 'none')
      return { tools: stubs.flatMap(encodeTool), toolChoice: encodeToolChoice(choice) };
    return history ? { tools: stubs.flatMap(encodeTool) } : undefined;
  }
  // The protocol has no `none`: tools that must not be called are not declared, unless the history needs them.
  if (choice === 'none') return history ? { tools: tools.flatMap(encodeTool) } : undefined;
  return withoutUndefined<wire.ToolConfig>({
    tools: tools.flatMap(encodeTool),
    toolChoice: choice && encodeToolChoice(choice),
  });
}

function hasToolBlocks(message: Message): boolean {
  return message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0);
}

/** The tools used in the conversation, each once; a tool with a placeholder name if only results are left. */
function formerTools(messages: readonly Message[]): readonly Tool[] {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  const names = new Set(calls.map((call) => call.name));
  const description = 'Was used earlier in this conversation. It cannot be called any more.';
  return [...(names.size > 0 ? names : ['former_tool'])].map((name) => ({ name, description }));
}

function encodeTool({
  name,
  description,
  parameters,
  strict,
  cacheControl,
}: Tool): readonly wire.SentBlock[] {
  const toolSpec = withoutUndefined<wire.ToolSpec>({
    name,
    // An empty description is rejected.
    description: description || undefined,
    inputSchema: { json: inputSchema(parameters) },
    strict,
  });
  return marked([{ toolSpec }], cacheControl);
}

function encodeToolChoice(choice: ToolChoice): wire.ToolChoice {
  if (typeof choice === 'object') return { tool: { name: choice.name } };
  return choice === 'required' ? { any: {} } : { auto: {} };
}
