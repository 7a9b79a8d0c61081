/** The use of an answer as its events show it, for the case that upstream never reports it. */
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { ContentPart, GenerationRequest } from '../../core/generation/request.ts';
import { countCalls, toolsIn } from '../../core/generation/tools/hosted-calls.ts';
import { hostedCallsOf, mergeToolCounts } from '../../core/generation/tools/tool-counts.ts';
import { totalTokens, type Usage } from '../../core/generation/usage.ts';
import { charactersOf } from '../../normalization/conversation/truncation.ts';

/** About as many characters as a token has. */
const charactersPerToken = 4;

/** About how many tokens so many characters have. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / charactersPerToken);

/** What a document or a audio behind a link is counted for: some thirty pages. Its length is not known. */
const tokensPerLink = 50_000;

/** The parts whose content is behind a link that the provider follows. Images are counted by their size. */
export const linkedParts = ({ messages }: GenerationRequest): number =>
  messages.reduce((sum, { content }) => sum + content.filter(isLinked).length, 0);

const isLinked = (part: ContentPart): boolean =>
  part.type !== 'text' && part.type !== 'image' && !/^data:/i.test(part.url);

/** About how many tokens the input has. */
export const estimateInput = (request: GenerationRequest): number =>
  estimateTokens(charactersOf(request)) + linkedParts(request) * tokensPerLink;

type ToolUse = Required<Pick<Usage, 'webSearches' | 'hostedCalls'>>;

/** The counts, and the uses of tools that upstream charges for beside them. */
export function withToolUse(usage: Usage, { webSearches, hostedCalls }: ToolUse): Usage {
  return {
    ...usage,
    ...(webSearches > 0 && usage.webSearches === undefined && { webSearches }),
    ...hostedCallsOf(mergeToolCounts(usage.hostedCalls ?? {}, hostedCalls)),
  };
}

/**
 * Counts what an answer shows, for the case that upstream never does. `reported`: the usage that upstream has reported so far, which
 * takes precedence over the estimate.
 */
export function countSeen(request: GenerationRequest, reported: () => Usage | undefined = () => undefined) {
  let written = 0;
  let thought = 0;
  let searches = 0;
  const hosted = countCalls(toolsIn(request));
  const toolUse = () => ({ webSearches: searches, hostedCalls: hosted.counts() });
  const isMissedBy = (usage: Usage) =>
    written + thought > 0 && totalTokens(usage) === 0 && usage.statedCost === undefined;
  return {
    add(event: GenerationEvent) {
      if (event.type === 'web-search') searches += 1;
      // Reading a page that was found is a step of the same tool, and free.
      else if (event.type === 'web-search-end') searches -= event.action.type === 'search' ? 0 : 1;
      else if (event.type === 'protocol-item') hosted.add(event.body);
      else if (event.type === 'reasoning') thought += event.text.length;
      else if ('text' in event) written += event.text.length;
    },
    /** How often the provider used its tools. */
    toolUse,
    /** Whether a usage counts nothing although there was text. Some hosts send zeros, and what is no number is read as one. */
    isMissedBy,
    /** Whether a part of an answer, or a count, has arrived. */
    isAny() {
      const shown = written + thought + searches + Object.keys(hosted.counts()).length;
      return shown > 0 || reported() !== undefined;
    },
    /** What upstream has reported, else an estimate. */
    usage() {
      const soFar = reported();
      const counted = soFar && !isMissedBy(soFar) ? soFar : undefined;
      const estimated = {
        promptTokens: estimateInput(request),
        cachedTokens: 0,
        cacheWriteTokens: 0,
        ...counted,
        // The count of what is written comes last, and is behind until then.
        completionTokens: Math.max(
          counted?.completionTokens ?? 0,
          estimateTokens(written) + estimateTokens(thought),
        ),
        reasoningTokens: Math.max(counted?.reasoningTokens ?? 0, estimateTokens(thought)),
      };
      return withToolUse(estimated, toolUse());
    },
  };
}
