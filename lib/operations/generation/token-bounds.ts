/**
 * Estimated token counts: the maximum of a request, and the use of an answer that broke off. A token is at least one byte of text, and about four characters of it.
 */

import { isTextType } from '../../core/file-type.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { countCalls, isEndless, maxCallsOf, toolsIn } from '../../core/generation/hosted-calls.ts';
import type { ContentPart, GenerationRequest, Message, ServiceTier } from '../../core/generation/request.ts';
import { hostedCallsOf, mergeToolCounts } from '../../core/generation/tool-counts.ts';
import { totalTokens, type Usage } from '../../core/generation/usage.ts';
import type { Target } from '../../core/model.ts';
import type { MaxTokens } from '../../metering/highest-cost.ts';
import { charactersOf } from '../../normalization/truncation.ts';
import { nativeBounds } from './native-bounds.ts';

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

/** The assumed maximum of searches, and of calls of another tool, if the request sets none: rarely reached, and not guaranteed. */
const maxCalls = 16;

const charactersPerToken = 4;

/** Never fewer tokens than the request will be counted for. */
export function maxTokensOf(request: GenerationRequest, { model }: Target): MaxTokens {
  const { n = 1, max_tokens, max_completion_tokens = max_tokens } = request.parameters;
  const { max_tool_calls: maxToolCalls = maxCalls } = request.parameters;
  const { limits, traits } = model;
  const { context, output } = limits;
  const { hasOwnLength, keptLonger, endless } = nativeBounds(request.nativeFields);
  const isBounded = max_completion_tokens != null && !hasOwnLength;
  const written = isBounded ? Math.max(16, max_completion_tokens) : Number.POSITIVE_INFINITY;
  const most = Math.min(written, output ?? maxWritten);
  const kind = traits.reasoning ? 'reasoning' : 'plain';
  return {
    input: Math.min(bytesOf(request), context ?? Number.POSITIVE_INFINITY),
    output: most * n,
    ...(!hasOwnLength && { leastOutput: Math.min(leastOutput[kind], most) * n }),
    ...(!isBounded &&
      !hasOwnLength && { usualOutput: Math.min(traits.usualOutput ?? usualOutput[kind], most) * n }),
    ...(hasSound(request) && { audio: true }),
    ...(keptLonger && { keptLonger: true }),
    ...((endless || toolsIn(request).some(({ type }) => isEndless(type))) && { endless: true }),
    ...(request.parameters.service_tier && { tier: request.parameters.service_tier }),
    ...hostedCallsOf(maxCallsOf(toolsIn(request), maxToolCalls)),
    ...(request.webSearch && { searches: maxToolCalls }),
  };
}

/** Whether the request asks for something whose price may be unknown, but that may be left out for a target. */
export function mayLackPrice(request: GenerationRequest): boolean {
  return toolsIn(request).length > 0 || isDearer(request.parameters.service_tier);
}

const isDearer = (tier: ServiceTier | undefined): boolean =>
  tier === 'priority' || tier === 'fast' || tier === 'scale';

function bytesOf(request: GenerationRequest): number {
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

/** Counts what an answer shows, for the case that upstream never does. */
export interface SeenTokens {
  add(event: GenerationEvent): void;
  /** Undefined where nothing was seen. */
  usage(): Usage | undefined;
  /** How often the provider used its tools. */
  toolUse(): ToolUse;
}

export type ToolUse = Required<Pick<Usage, 'webSearches' | 'hostedCalls'>>;

/** The counts, and the uses of tools that upstream charges for beside them. */
export function withToolUse(usage: Usage, { webSearches, hostedCalls }: ToolUse): Usage {
  return {
    ...usage,
    ...(webSearches > 0 && usage.webSearches === undefined && { webSearches }),
    ...hostedCallsOf(mergeToolCounts(usage.hostedCalls ?? {}, hostedCalls)),
  };
}

/** The counts, all of them of a tier without a price where it is another than the usual one. */
export function withTier(usage: Usage, tier: string | undefined): Usage {
  const isUsual = tier === undefined || tier === 'default' || tier === 'auto';
  return isUsual ? usage : { ...usage, otherTierTokens: totalTokens(usage) };
}

/** `reported`: the usage that upstream has reported so far, which takes precedence over the estimate. */
export function countSeen(
  request: GenerationRequest,
  reported: () => Usage | undefined = () => undefined,
): SeenTokens {
  let written = 0;
  let thought = 0;
  let searches = 0;
  const hosted = countCalls(toolsIn(request));
  const toolUse = () => ({ webSearches: searches, hostedCalls: hosted.counts() });
  const toTokens = (characters: number) => Math.ceil(characters / charactersPerToken);
  return {
    add(event) {
      if (event.type === 'web-search') searches += 1;
      // Reading a page that was found is a step of the same tool, and free.
      else if (event.type === 'web-search-end') searches -= event.action.type === 'search' ? 0 : 1;
      else if (event.type === 'protocol-item') hosted.add(event.body);
      else if (event.type === 'reasoning') thought += event.text.length;
      else if ('text' in event) written += event.text.length;
    },
    toolUse,
    usage() {
      if (written + thought + searches + Object.keys(hosted.counts()).length === 0) return undefined;
      const counted = reported();
      const estimated = {
        promptTokens: toTokens(charactersOf(request)),
        cachedTokens: 0,
        cacheWriteTokens: 0,
        ...counted,
        // The count of what is written comes last, and is behind until then.
        completionTokens: Math.max(counted?.completionTokens ?? 0, toTokens(written) + toTokens(thought)),
        reasoningTokens: Math.max(counted?.reasoningTokens ?? 0, toTokens(thought)),
      };
      return withToolUse(estimated, toolUse());
    },
  };
}
