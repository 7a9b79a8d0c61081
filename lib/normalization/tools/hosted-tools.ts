/**
 * Tools and items of the Responses API, for targets that do not have it. What an agent only declares is left out; a tool
 * without which the request makes no sense is refused; tools that an item adds to the conversation are offered with the
 * request's own.
 */
import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type {
  GenerationRequest,
  HostedTool,
  JsonObject,
  Message,
  ProtocolItem,
  Tool,
  ToolIdentity,
} from '../../core/generation/request.ts';
import { type Change, type Normalized, stripped } from '../rule.ts';

/**
 * Agents declare these for models that may have them, and work without. Codex 0.169.0 sends `tool_search`, for its own tools,
 * with every request to a model of OpenAI.
 */
const declaredOnly: readonly unknown[] = ['tool_search', 'image_generation'];

/** @throws GatewayError `invalid_request` for a hosted tool that cannot be left out. */
export function withoutHosted(given: GenerationRequest, target: Target): Normalized {
  const { hostedTools = [], include: _, ...request } = given;
  const leftOut = hostedTools.map((tool) => leaveOut(tool, target));
  const freed = withoutExtras(request);
  const items = withoutItems(freed.request);
  return { request: items.request, changes: [...leftOut, ...freed.changes, ...items.changes] };
}

function leaveOut(hosted: HostedTool, { model }: Target): Change {
  const { tool, choice } = hosted;
  if (!declaredOnly.includes(tool.type) || choice) {
    const message = `The model '${model.id}' does not support tools of type '${tool.type}'.`;
    throw new GatewayError('invalid_request', message, { param: pathOf(hosted, 'tool') });
  }
  const reason = 'The model does not have this tool.';
  return stripped(pathOf(hosted), { type: tool.type }, reason);
}

/** Fields of tools that mean something to the Responses API alone. */
function withoutExtras({ hostedTools: _, ...request }: GenerationRequest): Normalized {
  const changes: Change[] = [];
  const tools = request.tools.map((tool) => {
    const { extras, ...others } = tool;
    if (!extras) return tool;
    changes.push(extrasLeftOut(tool, extras));
    return others;
  });
  const { webSearch } = request;
  if (!webSearch?.contentTypes) return { request: { ...request, tools }, changes };
  const { contentTypes, ...search } = webSearch;
  const reason = "The provider's web search does not support this parameter.";
  const param = pathOf(webSearch, 'contentTypes');
  changes.push(stripped(param, contentTypes, reason));
  return { request: { ...request, tools, webSearch: search }, changes };
}

function extrasLeftOut(tool: Tool, extras: JsonObject): Change {
  const reason = 'The provider does not have these fields of tools.';
  return stripped(pathOf(tool), Object.keys(extras), reason);
}

function withoutItems(request: GenerationRequest): Normalized {
  const items = request.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.items ?? []) : [],
  );
  if (items.length === 0) return { request, changes: [] };
  const encoded = items.find(({ item }) => item.type === 'compaction');
  if (encoded) throw cannotRead(encoded);
  const known = new Set(request.tools.map(keyOf));
  const added = items.flatMap(({ tools = [] }) => tools).filter((tool) => isFirst(tool, known));
  const tools = [...request.tools, ...added.map(({ extras: _, ...tool }) => tool)];
  const messages = request.messages.flatMap(withoutItemsOf);
  return { request: { ...request, tools, messages }, changes: recordsOf(items) };
}

/** A compaction stands for all that was said before it, so that a conversation without it would be another one. */
function cannotRead(compaction: ProtocolItem): GatewayError {
  const message = 'Only the provider that made this compaction can continue from it.';
  return new GatewayError('invalid_request', message, { param: pathOf(compaction) });
}

const keyOf = ({ namespace, name }: ToolIdentity) => JSON.stringify([namespace, name]);

/** Whether no earlier tool has its name. */
function isFirst(tool: Tool, known: Set<string>): boolean {
  const key = keyOf(tool);
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

/** Nothing is left of a message that had only items. */
function withoutItemsOf(message: Message): readonly Message[] {
  if (message.role !== 'assistant' || !message.items) return [message];
  const { items: _, ...rest } = message;
  const { content, toolCalls, reasoningDetails, webSearches, refusal } = rest;
  const pieces = [...content, ...toolCalls, ...reasoningDetails, ...(webSearches ?? [])];
  return pieces.length > 0 || refusal !== undefined ? [rest] : [];
}

/** One record for each type of item, at its first place. */
function recordsOf(items: readonly ProtocolItem[]): readonly Change[] {
  const byType = Map.groupBy(items, ({ item }) => item.type);
  return [...byType].map(([type, own]) => {
    const [first] = own;
    const isAdding = own.some(({ tools }) => tools !== undefined);
    return stripped(
      first ? pathOf(first) : 'input',
      { type, items: own.length },
      isAdding
        ? "Only the Responses API has this item. Its tools are offered with the request's own."
        : 'Only the Responses API has this item.',
    );
  });
}
