/** The maximum use of a request, in tokens. A token is at least one byte of text. */
import { isTextType } from '../../core/file-type.ts';
import { isEndless, maxCallsOf, toolsIn } from '../../core/generation/hosted-calls.ts';
import type { ContentPart, GenerationRequest, Message, ServiceTier } from '../../core/generation/request.ts';
import { hostedCallsOf } from '../../core/generation/tool-counts.ts';
import { isJsonObject } from '../../core/json-object.ts';
import type { Target } from '../../core/model.ts';
import type { MaxTokens } from '../../metering/highest-cost.ts';

/** More than any model counts for one image. */
const maxForImage = 10_000;

/** As many as the models with the largest context can read. */
const maxForLink = 1_000_000;

/** What protocols add around a message, a tool or a response format. */
const overhead = 64;

/** The maximum output of a model whose catalog row has none. */
export const maxWritten = 131_072;

/** What an answer rarely exceeds, and the least that is of use: thoughts are part of the output. */
const usualOutput = { plain: 4_096, reasoning: 16_384 };
const leastOutput = { plain: 16, reasoning: 1_024 };

/** The smallest thinking budget of Claude's. Source: "Extended thinking" of the Claude API's documentation. */
export const leastThinking = 1_024;

/** The assumed maximum of searches, and of calls of another tool, if the request sets none: rarely reached, and not guaranteed. */
const maxCalls = 16;

/** Never fewer tokens than the request will be counted for. */
export function maxTokensOf(request: GenerationRequest, { model }: Target): MaxTokens {
  const { n = 1, max_tokens, max_completion_tokens = max_tokens } = request.parameters;
  const { max_tool_calls: maxToolCalls = maxCalls } = request.parameters;
  const { limits, traits } = model;
  const { context, output } = limits;
  const isBounded = max_completion_tokens != null;
  const written = isBounded ? Math.max(16, max_completion_tokens) : Number.POSITIVE_INFINITY;
  const most = Math.min(written, output ?? maxWritten);
  const kind = traits.reasoning ? 'reasoning' : 'plain';
  const least = hasBudget(request) ? 2 * leastThinking : leastOutput[kind];
  const { cost } = request.original ?? {};
  const tools = [...toolsIn(request), ...(cost?.tools ?? []).map((type) => ({ type }))];
  const isUnbounded = request.unbounded || cost?.isUnbounded || tools.some(({ type }) => isEndless(type));
  const tier = cost?.tier ?? request.parameters.service_tier;
  return {
    input: Math.min(bytesOf(request), context ?? Number.POSITIVE_INFINITY),
    output: most * n,
    leastOutput: Math.min(least, most) * n,
    ...(!isBounded && { usualOutput: Math.min(traits.usualOutput ?? usualOutput[kind], most) * n }),
    ...(hasSound(request) && { audio: true }),
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
  const usual = traits.usualOutput ?? usualOutput[traits.reasoning ? 'reasoning' : 'plain'];
  return Math.min(Math.max(16, max_completion_tokens ?? usual), limits.output ?? maxWritten) * n;
}

/** Whether the original has a thinking budget. */
function hasBudget({ original }: GenerationRequest): boolean {
  const { thinking } = original?.body ?? {};
  return isJsonObject(thinking) && thinking.type === 'enabled';
}

/** Whether the request asks for something whose price may be unknown, but that may be left out for a target. */
export function mayLackPrice(request: GenerationRequest): boolean {
  const isDearerOriginal = request.original?.cost !== undefined;
  return isDearerOriginal || toolsIn(request).length > 0 || isDearer(request.parameters.service_tier);
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
function bytesOfOriginal(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + bytesOfOriginal(item), 0);
  if (!isJsonObject(value)) return 8;
  const { type, source: media, input_schema: schema } = value;
  const inner = isJsonObject(media) ? media.type : undefined;
  if (type === 'image' && inner !== undefined) return maxForImage;
  const isDocument = type === 'document' && (inner === 'url' || inner === 'base64');
  const others = Object.entries(value).reduce(
    (sum, [name, item]) => sum + name.length + bytesOfOriginal(item),
    8,
  );
  const isOwnTool = typeof type === 'string' && /_\d{8}$/.test(type);
  const added = isOwnTool ? perOwnTool : schema === undefined ? 0 : overhead;
  return Math.max(others, isDocument ? maxForLink : 0) + added;
}

function bytesOfTranslated(request: GenerationRequest): number {
  const { messages, tools, hostedTools = [], parameters, nativeFields, suffix = '' } = request;
  const said = messages.reduce((sum, message) => sum + bytesOfMessage(message), 0);
  const forms = [tools, hostedTools, parameters.response_format ?? null, nativeFields ?? null, suffix];
  return said + tools.length * overhead + Buffer.byteLength(JSON.stringify(forms));
}

const isLink = (url: string): boolean => !/^data:/i.test(url);

function hasSound({ messages }: GenerationRequest): boolean {
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
  if (part.type === 'image') return maxForImage;
  if (part.type === 'audio' || part.type === 'video') return isLink(part.url) ? maxForLink : part.url.length;
  return !isLink(part.url) && isTextType(part.mediaType ?? '')
    ? part.url.length
    : Math.max(part.url.length, maxForLink);
}
