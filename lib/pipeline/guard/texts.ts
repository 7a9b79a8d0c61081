/** The texts of a request, one after the other: looked at where they stand, and changed there. */
import { fileTypeOf, isTextType } from '../../core/formats/file-type.ts';
import type { JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { pathOf, renamePath } from '../../core/generation/original/source.ts';
import type {
  AssistantMessage,
  ContentPart,
  FilePart,
  GenerationParameters,
  GenerationRequest,
  Message,
  ReasoningDetail,
  ToolCall,
} from '../../core/generation/request.ts';
import { type Edit, edited } from './edits.ts';
import { withoutEscapes } from './readable.ts';
import { walkJson } from './walk-json.ts';

/**
 * `system`: what is the same in all requests of a conversation: instructions and tools. `new`: what came after the model's last turn.
 * `history`: the rest.
 */
export type Scope = 'system' | 'history' | 'new';

export interface PlacedText {
  readonly text: string;
  /** Where the caller wrote it. */
  readonly path: string;
  readonly scope: Scope;
  /** Texts of one message are read as one. */
  readonly message: number;
  /** It names a tool, whose calls would not find it under another name: nothing is taken out of it. */
  readonly isName?: true;
}

/** What becomes of a text; none: it stays. */
export type Look = (text: PlacedText) => readonly Edit[];

/** The places of what belongs to no message, and of Anthropic's instructions. */
export const outside = -1;
const instructions = -2;

/** Looks at all texts in their order; the same request where none changes. */
export function lookAtTexts(request: GenerationRequest, look: Look): GenerationRequest {
  const last = lastAnswered(request.messages);
  const messages = request.messages.map((message, index) => {
    const scope: Scope = message.role === 'system' ? 'system' : index > last ? 'new' : 'history';
    return inMessage(message, { look, scope, message: index });
  });
  const system = { look, scope: 'system' as const, message: outside };
  const added = { look, scope: 'new' as const, message: outside };
  for (const tool of request.tools) lookAtName(tool.name, pathOf(tool, 'name'), look);
  const tools = request.tools.map((tool) => ({
    ...tool,
    ...(tool.description !== undefined && {
      description: plain(tool.description, pathOf(tool, 'description'), system),
    }),
    ...(tool.parameters && { parameters: inOwnJson(tool.parameters, pathOf(tool, 'parameters'), system) }),
    ...(tool.format && { format: inJson(tool.format, pathOf(tool), system) }),
    ...(tool.namespaceDescription !== undefined && {
      namespaceDescription: plain(tool.namespaceDescription, pathOf(tool), system),
    }),
    ...(tool.extras && { extras: inJson(tool.extras, pathOf(tool), system) }),
  }));
  const { hostedTools, nativeFields, suffix, parameters, webSearch } = request;
  const pathTo = (name: string) => renamePath(name, request.parameterPaths);
  return {
    ...request,
    messages,
    tools,
    ...(hostedTools && {
      hostedTools: hostedTools.map((hosted) => ({
        ...hosted,
        tool: inJson(hosted.tool, pathOf(hosted), system),
      })),
    }),
    ...(webSearch && {
      webSearch: {
        ...webSearch,
        ...(webSearch.userLocation && {
          userLocation: inOwnJson(webSearch.userLocation, pathOf(webSearch, 'userLocation'), added),
        }),
      },
    }),
    ...(nativeFields && { nativeFields: inOwnJson(nativeFields, 'native_fields', added) }),
    ...(suffix !== undefined && { suffix: plain(suffix, 'suffix', added) }),
    parameters: {
      ...parameters,
      ...(parameters.prediction && {
        prediction: inJson(parameters.prediction, pathTo('prediction'), added),
      }),
      ...(parameters.metadata && { metadata: inOwnJson(parameters.metadata, pathTo('metadata'), added) }),
      ...(parameters.stop && { stop: inJson(parameters.stop, pathTo('stop'), added) }),
      ...namesOfCallers(parameters, pathTo, added),
      ...(parameters.response_format && {
        response_format: inJson(parameters.response_format, pathTo('response_format'), system),
      }),
    },
  };
}

/** The same of a body in its caller's own protocol, which stays as it is. */
export function lookAtOriginal(body: JsonObject, look: Look): void {
  const { messages, system, tools, ...others } = body;
  const list = Array.isArray(messages) ? messages : [];
  const last = lastAnswered(list.map((message) => ({ role: `${message?.role}` })));
  const walk = (value: unknown, path: string, scope: Scope, message: number) =>
    walkJson(value, path, (text, at) => {
      if (text !== '') look({ text, path: at, scope, message });
      return text;
    });
  walk(system, 'system', 'system', instructions);
  for (const [index, message] of list.entries()) {
    const scope = message?.role === 'system' ? 'system' : index > last ? 'new' : 'history';
    walk(message, `messages.${index}`, scope, index);
  }
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    if (typeof tool?.name === 'string') lookAtName(tool.name, `tools.${index}.name`, look);
  }
  walk(tools, 'tools', 'system', outside);
  walk(withoutNames(others), '', 'system', outside);
}

function lookAtName(text: string, path: string, look: Look): void {
  if (text !== '') look({ text, path, scope: 'system', message: outside, isName: true });
}

/** What else a body has is mostly settings. */
const withoutNames = ({ model: _, stream: __, ...others }: JsonObject): JsonObject => others;

/** The last turn of the model that someone has answered: an answer that the caller has begun for the model is new. */
export function lastAnswered(messages: readonly { readonly role: string }[]): number {
  const lastOther = messages.findLastIndex(({ role }) => role !== 'assistant');
  return messages.findLastIndex(({ role }, index) => role === 'assistant' && index < lastOther);
}

/** What stands for a caller's user or conversation is often an address. */
const callerNames = ['user', 'safety_identifier', 'prompt_cache_key'] as const;

function namesOfCallers(
  parameters: GenerationParameters,
  pathTo: (name: string) => string,
  place: Place,
): Partial<GenerationParameters> {
  const given = callerNames.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, plain(value, pathTo(name), place)] as const];
  });
  return Object.fromEntries(given);
}

interface Place {
  readonly look: Look;
  readonly scope: Scope;
  readonly message: number;
}

function plain(text: string, path: string, { look, scope, message }: Place): string {
  return text === '' ? text : edited(text, look({ text, path, scope, message }));
}

function inJson<Value>(value: Value, path: string, place: Place, isOwn = false): Value {
  return walkJson(value, path, (text, at) => plain(text, at, place), isOwn) as Value;
}

const inOwnJson = <Value>(value: Value, path: string, place: Place): Value =>
  inJson(value, path, place, true);

/** JSON as text: what its escapes stand for is looked at, and the rest stays as it was written. */
function inJsonText(json: string, path: string, place: Place): string {
  if (json === '') return json;
  const { text, at } = withoutEscapes(json);
  const edits = place.look({ text, path, scope: place.scope, message: place.message });
  if (edits.length === 0) return json;
  const changed = edited(
    json,
    edits.map(({ start, end, text: tag }) => ({ start: at(start), end: at(end), text: tag })),
  );
  // What a detector has rewritten as a whole has no escapes in it.
  const isBroken = parseJson(changed) === undefined && parseJson(json) !== undefined;
  return isBroken ? JSON.stringify({ text: edited(text, edits) }) : changed;
}

function inMessage(message: Message, place: Place): Message {
  const named = message.name === undefined ? {} : { name: plain(message.name, pathOf(message), place) };
  switch (message.role) {
    case 'system':
      return {
        ...message,
        ...named,
        content: message.content.map((part) => ({ ...part, text: plain(part.text, pathOf(part), place) })),
      };
    case 'user':
    case 'tool':
      return { ...message, ...named, content: message.content.map((part) => inPart(part, place)) };
    case 'assistant':
      return { ...message, ...named, ...inAnswer(message, place) };
  }
}

function inPart(part: ContentPart, place: Place): ContentPart {
  if (part.type === 'text') return { ...part, text: plain(part.text, pathOf(part), place) };
  if (part.type !== 'file') return part;
  const { filename } = part;
  const name = filename === undefined ? {} : { filename: plain(filename, pathOf(part, 'filename'), place) };
  return { ...part, ...name, ...textOfFile(part, place) };
}

/** Text files in the request. What a link leads to, and what is no text, is not looked at. */
function textOfFile(part: FilePart, place: Place): { readonly url?: string } {
  const { head, text } = readTextFile(part) ?? {};
  if (text === undefined) return {};
  const changed = plain(text, pathOf(part, 'url'), place);
  return changed === text ? {} : { url: head + Buffer.from(changed).toString('base64') };
}

/** Undefined of a link, and of what is no text. `head`: what the text of a data URL follows. */
export function readTextFile(part: FilePart): { readonly head: string; readonly text: string } | undefined {
  const head = /^data:[^,]{0,500},/i.exec(part.url.slice(0, 512))?.[0];
  const isText = isTextType(part.mediaType ?? '') || isTextType(fileTypeOf(part));
  if (head === undefined || !isText) return undefined;
  return { head, text: Buffer.from(part.url.slice(head.length), 'base64').toString() };
}

function inAnswer(message: AssistantMessage, place: Place): Omit<AssistantMessage, 'role'> {
  const path = pathOf(message);
  const { content, refusal, toolCalls, reasoning, reasoningDetails, webSearches, items } = message;
  return {
    content: content.map((part) => ({ ...part, text: plain(part.text, pathOf(part), place) })),
    ...(refusal !== undefined && { refusal: plain(refusal, path, place) }),
    toolCalls: toolCalls.map((call) => ({ ...call, arguments: inArguments(call, place) })),
    ...(reasoning !== undefined && { reasoning: plain(reasoning, path, place) }),
    reasoningDetails: reasoningDetails.filter((detail) => isUnchanged(detail, path, place)),
    ...(webSearches && {
      webSearches: webSearches.map((search) => ({ ...search, action: inJson(search.action, path, place) })),
    }),
    ...(items && { items: items.map((one) => ({ ...one, item: inJson(one.item, pathOf(one), place) })) }),
  };
}

const inArguments = (call: ToolCall, place: Place): string =>
  (call.kind === 'custom' ? plain : inJsonText)(call.arguments, pathOf(call, 'arguments'), place);

/** Signed reasoning cannot be changed: with something to take out of it, it is left out. */
function isUnchanged(detail: ReasoningDetail, path: string, place: Place): boolean {
  const text = textOfDetail(detail);
  return text === '' || plain(text, path, place) === text;
}

export function textOfDetail(detail: ReasoningDetail): string {
  if (detail.type === 'reasoning.text') return detail.text;
  return detail.type === 'reasoning.summary' ? detail.summary : '';
}
