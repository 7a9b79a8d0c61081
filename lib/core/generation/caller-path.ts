/** The caller's path of a field that an upstream error names. */
import { GatewayError } from '../errors/errors.ts';
import { type Offer, offersOf } from './offers.ts';
import { type FieldOf, pathOf, renamePath } from './original/source.ts';
import type { ContentPart, GenerationRequest, Message, Tool, ToolCall, WebSearchTool } from './request.ts';

/** A request as it was sent upstream, of whichever operation. */
type SentRequest = Partial<
  Pick<GenerationRequest, 'messages' | 'tools' | 'webSearch' | 'hostedTools' | 'parameterPaths'>
>;

/** The error, with the caller's path of the field that upstream named. Anything else stays as it is. */
export function withCallerPath<Thrown>(thrown: Thrown, request: SentRequest): Thrown | GatewayError {
  if (!(thrown instanceof GatewayError) || thrown.upstreamParam === undefined) return thrown;
  return thrown.with({ param: callerPath(request, thrown.upstreamParam) });
}

/**
 * `param`: a path in the request as it was sent, with dots or brackets, and in the names of the internal request. A field
 * that the request does not have is printed as what would hold it.
 */
export function callerPath(request: SentRequest, param: string): string {
  const { messages = [], parameterPaths } = request;
  const steps = param.split(/[.[\]]+/).filter((step) => step !== '');
  const [head, index, ...rest] = steps;
  const position = Number(index);
  const message = head === 'messages' ? messages[position] : undefined;
  if (message) return inMessage(message, rest);
  const offer = head === 'tools' ? offersOf(request)[position] : undefined;
  if (offer) return inOffer(offer, rest);
  const isUnknown = (head === 'messages' || head === 'tools') && index !== undefined;
  return renamePath(isUnknown ? head : steps.join('.'), parameterPaths);
}

const messageFields = new Map<string | undefined, FieldOf<Message>>([
  ['name', 'name'],
  ['role', 'role'],
  ['content', 'content'],
  ['refusal', 'refusal'],
  ['tool_calls', 'toolCalls'],
  ['tool_call_id', 'toolCallId'],
  ['reasoning_content', 'reasoning'],
  ['reasoning_details', 'reasoningDetails'],
]);

const partFields = new Map<string | undefined, FieldOf<ContentPart>>([
  ['text', 'text'],
  ['image_url', 'url'],
  ['file', 'url'],
  ['input_audio', 'url'],
  ['video_url', 'url'],
  ['cache_control', 'cacheControl'],
]);

const callFields = new Map<string | undefined, FieldOf<ToolCall>>([
  ['id', 'id'],
  ['name', 'name'],
  ['arguments', 'arguments'],
]);

function inMessage(message: Message, [field, index, ...rest]: readonly string[]): string {
  const part = field === 'content' ? message.content[Number(index)] : undefined;
  if (part) return pathOf<ContentPart>(part, partFields.get(rest[0]));
  const calls = field === 'tool_calls' && message.role === 'assistant' ? message.toolCalls : [];
  const call = calls[Number(index)];
  if (call) return pathOf(call, callFields.get(rest[0] === 'function' ? rest[1] : rest[0]));
  return pathOf(message, messageFields.get(field));
}

const toolFields = new Map<string | undefined, FieldOf<Tool>>([
  ['name', 'name'],
  ['description', 'description'],
  ['parameters', 'parameters'],
  ['strict', 'strict'],
  ['cache_control', 'cacheControl'],
]);

const searchFields = new Map<string | undefined, FieldOf<WebSearchTool>>([
  ['type', 'type'],
  ['search_context_size', 'contextSize'],
  ['user_location', 'userLocation'],
  ['filters', 'allowedDomains'],
]);

function inOffer(offer: Offer, path: readonly string[]): string {
  if (offer.type === 'tool') return inTool(offer.tool, path);
  if (offer.type === 'search') return pathOf(offer.tool, searchFields.get(path[0]));
  // Of a hosted tool only the provider knows the fields.
  if (offer.type === 'hosted') return [pathOf(offer.tool), ...path].join('.');
  const [first] = offer.tools;
  const tool = path[0] === 'tools' ? offer.tools[Number(path[1])] : undefined;
  if (tool) return inTool(tool, path.slice(2));
  return first ? pathOf(first, 'namespace') : 'tools';
}

function inTool(tool: Tool, path: readonly string[]): string {
  const [field, ...rest] = path[0] === 'function' ? path.slice(1) : path;
  const below = field === 'parameters' ? rest : [];
  // Internal tools have no type: all of them are functions.
  const typeField = field === 'type' ? ['type'] : [];
  return [pathOf(tool, toolFields.get(field)), ...typeField, ...below].join('.');
}
