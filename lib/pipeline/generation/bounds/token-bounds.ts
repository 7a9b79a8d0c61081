/** The maximum use of a request, in tokens. A token is at least one byte of text. */

import type { AttemptOutput } from '../../../core/accounting/ledger.ts';
import type { Target } from '../../../core/catalog/model.ts';
import { isTextType } from '../../../core/formats/file-type.ts';
import { isJsonObject, type JsonObject } from '../../../core/formats/json-object.ts';
import { maxTokensOfImage } from '../../../core/generation/image-bound.ts';
import type {
  ContentPart,
  GenerationRequest,
  Message,
  ServiceTier,
} from '../../../core/generation/request.ts';
import { isEndless, maxCallsOf, toolsIn } from '../../../core/generation/tools/hosted-calls.ts';
import { hostedCallsOf } from '../../../core/generation/tools/tool-counts.ts';
import type { MaxTokens } from '../../../metering/limits/highest-cost.ts';
import { willReason } from '../../../normalization/effort.ts';
import { linkedParts } from '../../use/seen-use.ts';
import { maxCalls, maxRead } from './reading-tools.ts';

/** As many as the models with the largest context can read. */
const maxForLink = 1_000_000;

/** What protocols add around a message, a tool or a response format. */
const overhead = 64;

/** The maximum output of a model whose catalog row has none. */
export const maxWritten = 131_072;

/** What an answer rarely exceeds, and the least that is of use: thoughts are part of the output. */
const usualOutput = { plain: 4_096, reasoning: 16_384 };
const minOutput = { plain: 16, reasoning: 1_024 };

/** The smallest thinking budget of Claude's. Source: "Extended thinking" of the Claude API's documentation. */
export const minThinking = 1_024;

/** Never fewer tokens than the request will be counted for. `readsOnce`: see `ReadingBounds.once`. */
export function maxTokensOf(request: GenerationRequest, { model }: Target, readsOnce = false): MaxTokens {
  const { n = 1, max_tokens, max_completion_tokens = max_tokens } = request.parameters;
  const { max_tool_calls: maxToolCalls = maxCalls } = request.parameters;
  const { limits, traits } = model;
  const { output } = limits;
  const context = limits.context ?? limits.input ?? Number.POSITIVE_INFINITY;
  const isBounded = max_completion_tokens != null;
  const written = isBounded ? Math.max(16, max_completion_tokens) : Number.POSITIVE_INFINITY;
  const max = Math.min(written, output ?? maxWritten);
  const kind = traits.reasoning ? 'reasoning' : 'plain';
  const min = hasBudget(request) ? 2 * minThinking : minOutput[kind];
  const { cost } = request.original ?? {};
  const tools = [...toolsIn(request), ...(cost?.tools ?? []).map((type) => ({ type }))];
  const input = Math.min(bytesOf(request), context);
  const read = maxRead(request, { own: input, written: max, context, once: readsOnce });
  const isUnbounded =
    request.unbounded ||
    cost?.isUnbounded ||
    tools.some(({ type }) => isEndless(type)) ||
    !Number.isFinite(read);
  const tier = cost?.tier ?? request.parameters.service_tier;
  return {
    input,
    ...(read > 0 && { read }),
    output: max * n,
    minOutput: Math.min(min, max) * n,
    ...(!isBounded && { usualOutput: Math.min(traits.usualOutput ?? usualOutput[kind], max) * n }),
    ...(hasAudio(request) && { audio: true }),
    ...(isUnbounded && { endless: true }),
    ...(tier && { tier }),
    ...hostedCallsOf(maxCallsOf(tools, maxToolCalls)),
    ...(request.webSearch && { searches: maxToolCalls }),
  };
}

/** The output that is reserved where limits leave enough: as much as is asked for, else what an answer rarely exceeds. */
export function reservedOutput({ parameters }: GenerationRequest, { model }: Target): number {
  const { n = 1, max_tokens, max_completion_tokens = max_tokens } = parameters;
  const { limits, traits } = model;
  const standard = traits.usualOutput ?? usualOutput[traits.reasoning ? 'reasoning' : 'plain'];
  return Math.min(Math.max(16, max_completion_tokens ?? standard), limits.output ?? maxWritten) * n;
}

/** Whether the original has a thinking budget. */
function hasBudget({ original }: GenerationRequest): boolean {
  const { thinking } = original?.body ?? {};
  return isJsonObject(thinking) && thinking.type === 'enabled';
}

/** Whether the request asks for something whose price may be unknown or high, but that may be left out for a target. */
export function mayLackPrice(request: GenerationRequest): boolean {
  const { original, parameters, webSearch } = request;
  const isDearerOriginal = original?.cost !== undefined;
  return (
    isDearerOriginal ||
    webSearch !== undefined ||
    toolsIn(request).length > 0 ||
    isDearer(parameters.service_tier)
  );
}

const isDearer = (tier: ServiceTier | undefined): boolean =>
  tier === 'priority' || tier === 'fast' || tier === 'scale';

function bytesOf(request: GenerationRequest): number {
  const translated = bytesOfTranslated(request);
  return request.original ? Math.max(translated, bytesOfOriginal(request.original.body)) : translated;
}

/** What the provider adds for a tool of its own: its description, and how it is called. */
const perOwnTool = 2_048;

/** Also of what only a target of the caller's protocol gets. */
function bytesOfOriginal(body: JsonObject): number {
  const { system, messages, ...others } = body;
  return bytesOfContent(system) + bytesOfContent(messages) + bytesOfValue(others);
}

/** Messages and blocks of content, and what they contain: only there an object is an image or a document. */
function bytesOfContent(list: unknown): number {
  if (!Array.isArray(list)) return bytesOfValue(list);
  return list.reduce(
    (sum: number, item) => sum + (isJsonObject(item) ? bytesOfBlock(item) : bytesOfValue(item)),
    0,
  );
}

const binary: readonly unknown[] = ['base64', 'url'];

function bytesOfBlock({ type, content, source: media, ...others }: JsonObject): number {
  const added = bytesOfContent(content) + bytesOfValue({ type, ...others });
  if (!isJsonObject(media)) return added + bytesOfValue(media);
  const { type: kind, data, content: parts, ...fields } = media;
  const described = added + bytesOfValue({ type: kind, ...fields }) + bytesOfContent(parts);
  if (!binary.includes(kind)) return described + bytesOfValue(data);
  if (type === 'image') return described + maxTokensOfImage;
  return described + Math.max(type === 'document' ? maxForLink : 0, bytesOfValue(data));
}

function bytesOfValue(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + bytesOfValue(item), 0);
  if (!isJsonObject(value)) return 8;
  const fields = Object.entries(value).reduce(
    (sum, [name, item]) => sum + name.length + bytesOfValue(item),
    8,
  );
  const { type, input_schema: schema } = value;
  const isOwnTool = typeof type === 'string' && /_\d{8}$/.test(type);
  return fields + (isOwnTool ? perOwnTool : schema === undefined ? 0 : overhead);
}

function bytesOfTranslated(request: GenerationRequest): number {
  const { messages, tools, hostedTools = [], parameters, nativeFields, suffix = '' } = request;
  const said = messages.reduce((sum, message) => sum + bytesOfMessage(message), 0);
  const forms = [tools, hostedTools, parameters.response_format ?? null, nativeFields ?? null, suffix];
  return said + tools.length * overhead + Buffer.byteLength(JSON.stringify(forms));
}

const isLink = (url: string): boolean => !/^data:/i.test(url);

function hasAudio({ messages }: GenerationRequest): boolean {
  return messages.some(({ content }) => content.some(({ type }) => type === 'audio' || type === 'video'));
}

function bytesOfMessage(message: Message): number {
  const content = message.content.reduce((sum, part) => sum + bytesOfPart(part), overhead);
  if (message.role !== 'assistant') return content;
  const { toolCalls, reasoningDetails, items = [], reasoning = '', refusal = '' } = message;
  return (
    content + Buffer.byteLength(JSON.stringify([toolCalls, reasoningDetails, items, reasoning, refusal]))
  );
}

function bytesOfPart(part: ContentPart): number {
  if (part.type === 'text') return Buffer.byteLength(part.text);
  if (part.type === 'image') return maxTokensOfImage;
  if (part.type === 'audio' || part.type === 'video') return isLink(part.url) ? maxForLink : part.url.length;
  return !isLink(part.url) && isTextType(part.mediaType ?? '')
    ? part.url.length
    : Math.max(part.url.length, maxForLink);
}

/** `granted`: the output tokens that limits leave to it; absent: there are no limits. */
export const attemptOutput = (
  request: GenerationRequest,
  target: Target,
  granted = reservedOutput(request, target),
): AttemptOutput => ({
  reserved: granted,
  isHidden: mayReason(request, target),
  isInputUnknown: linkedParts(request) > 0 || usesTools(request),
});

/** Fields of a protocol may ask for it, too. */
function mayReason(request: GenerationRequest, target: Target): boolean {
  const { original, nativeFields, parameters } = request;
  const { thinking } = original?.body ?? {};
  const isAsked = nativeFields !== undefined || (isJsonObject(thinking) && thinking.type !== 'disabled');
  return willReason(parameters, target) || (isAsked && target.model.traits.reasoning !== undefined);
}

/** Of the provider: it counts what they read as input. */
const usesTools = (request: GenerationRequest): boolean =>
  request.webSearch !== undefined ||
  toolsIn(request).length > 0 ||
  (request.original?.cost?.tools ?? []).length > 0;
