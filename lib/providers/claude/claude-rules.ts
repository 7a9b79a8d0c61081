/** What Claude models support, at every provider that serves them. */
import type { ReasoningTraits, Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import { thinkingTokens } from '../../core/generation/parameters.ts';
import { claudeFormat } from '../../core/generation/reasoning-format.ts';
import type { GenerationParameters, Message, ReasoningEffort } from '../../core/generation/request.ts';
import { wrapBrokenArguments } from '../../normalization/conversation/broken-arguments.ts';
import { onlySignedReasoning } from '../../normalization/conversation/returnable-reasoning.ts';
import { beginsWithUser, withoutBlankUsers } from '../../normalization/conversation/strict-turns.ts';
import { characters } from '../../normalization/conversation/summarize.ts';
import { willReason } from '../../normalization/effort.ts';
import { reasoningTokenRules } from '../../normalization/reasoning-tokens.ts';
import type { ConversationRule, Rule, RuleSet } from '../../normalization/rule.ts';
import {
  noModeration,
  onlyReasoningOf,
  openaiOnly,
  openSamplingButTopK,
  refused,
  stripNames,
  temperatureRules,
  traitRules,
  unsupported,
} from '../../normalization/rules.ts';
import { claudeOutput, claudeStrict } from '../../normalization/schemas/schema-dialects.ts';
import { limitOfSearches, stripWebSearches } from '../../normalization/web-search.ts';
import { returnableReasoning } from '../../protocols/claude.ts';

const hasStyle = ({ model }: Target, ...styles: readonly ReasoningTraits['style'][]): boolean =>
  model.traits.reasoning !== undefined && styles.includes(model.traits.reasoning.style);

/** Tokens for thinking are part of the answer's limit, and there must be some left for the answer. */
function fits(effort: ReasoningEffort, parameters: GenerationParameters, target: Target): boolean {
  const { max_completion_tokens, max_tokens } = parameters;
  const written = target.model.limits.output ?? Number.POSITIVE_INFINITY;
  const limit = Math.min(max_completion_tokens ?? max_tokens ?? written, written);
  const min = target.model.traits.reasoning?.budget?.min ?? 0;
  const max = target.model.traits.reasoning?.budget?.max ?? Number.POSITIVE_INFINITY;
  return Math.min(Math.max(thinkingTokens[effort], min), max) < limit;
}

const effortWithinLimit: Rule = {
  param: 'reasoning_effort',
  reason: 'The token limit allows no larger thinking budget.',
  applies: ({ parameters, target }) => {
    const { reasoning_effort: effort = 'none' } = parameters;
    return effort !== 'none' && hasStyle(target, 'budget') && !fits(effort, parameters, target);
  },
  value: ({ parameters, target }) => {
    const efforts = target.model.traits.reasoning?.efforts ?? [];
    return efforts.findLast((effort) => effort === 'none' || fits(effort, parameters, target));
  },
};

/**
 * A tool loop is one turn of Claude's, and a model with a thinking budget continues it in thought only if it began so: "a
 * final `assistant` message must start with a thinking block". Most clients do not send thinking back, and other models'
 * turns have none.
 */
const noThinkingInUnthoughtLoop: Rule = {
  param: 'reasoning_effort',
  reason:
    'The model can continue a tool loop with reasoning only if the loop began with its signed reasoning.',
  applies: ({ request, parameters, target }) =>
    hasStyle(target, 'budget') && willReason(parameters, target) && isUnthoughtLoop(request.messages),
  value: () => 'none',
};

/** Whether the conversation ends in a tool loop whose first message has no signed reasoning. */
function isUnthoughtLoop(messages: readonly Message[]): boolean {
  let first = messages.findLast(({ role }) => role === 'assistant');
  if (first?.role !== 'assistant' || first.toolCalls.length === 0) return false;
  for (const message of messages.slice(0, messages.indexOf(first)).toReversed()) {
    if (message.role === 'assistant' && message.toolCalls.length > 0) first = message;
    else if (message.role !== 'tool') break;
  }
  return returnableReasoning(first.reasoningDetails).length === 0;
}

const byThinking: readonly Rule[] = [
  {
    param: 'top_p',
    reason: 'The model accepts temperature or top_p, not both.',
    applies: ({ parameters, target }) =>
      parameters.temperature !== undefined && hasStyle(target, 'budget', 'adaptive'),
  },
  {
    param: 'tool_choice',
    reason: 'The model cannot be forced to call a tool while it reasons.',
    applies: ({ parameters, target }) =>
      !['auto', 'none'].includes(String(parameters.tool_choice)) &&
      hasStyle(target, 'budget') &&
      willReason(parameters, target),
    value: () => 'auto',
  },
];

/** The models that take no `top_p` take none of the sampling parameters. */
const topKAsTopP: Rule = {
  param: 'top_k',
  reason: 'The model does not support this parameter.',
  applies: refused('top_p'),
};

/** Stop sequences that are only white space are refused. */
const visibleStops: Rule = {
  param: 'stop',
  reason: 'The provider does not accept stop sequences of only whitespace.',
  applies: ({ parameters }) => (parameters.stop ?? []).some((text) => text.trim() === ''),
  value: ({ parameters }) => {
    const visible = (parameters.stop ?? []).filter((text) => text.trim() !== '');
    return visible.length > 0 ? visible : undefined;
  },
};

/** A last message of the assistant's is the beginning of the answer: the newest models, and those that think, refuse it. */
const noPrefill: ConversationRule = {
  apply: (messages, { parameters, target }) => {
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || !hasStyle(target, 'budget', 'adaptive')) return undefined;
    if (hasStyle(target, 'budget') && !willReason(parameters, target)) return undefined;
    const rest = messages.slice(0, -1);
    const reason = 'The model does not support continuing an assistant message.';
    // Without any turn left there is nothing to answer.
    if (rest.every(({ role }) => role === 'system')) {
      throw new GatewayError('invalid_request', reason, { param: pathOf(last) });
    }
    const before = { role: 'assistant' };
    const change = {
      param: pathOf(last),
      action: 'strip',
      before,
      after: null,
      reason,
    } as const;
    return { messages: rest, changes: [change] };
  },
};

/** "final assistant content cannot end with trailing whitespace": the model continues a text without it. */
const noTrailingSpace: ConversationRule = {
  apply: (messages) => {
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || last.toolCalls.length > 0) return undefined;
    const part = last.content.at(-1);
    const text = part?.text.trimEnd();
    if (part === undefined || text === undefined || text === '' || text === part.text) return undefined;
    const content = last.content.with(-1, { ...part, text });
    const change = {
      param: pathOf(last, 'content'),
      action: 'override',
      before: characters(part.text.length),
      after: characters(text.length),
      reason: 'The model cannot continue a text that ends in white space.',
    } as const;
    return { messages: messages.with(-1, { ...last, content }), changes: [change] };
  },
};

/** In this order: how much a model thinks decides what it refuses, and what is left of that what goes together. */
export const claudeParameters: readonly Rule[] = [
  ...reasoningTokenRules,
  effortWithinLimit,
  noThinkingInUnthoughtLoop,
  { ...noThinkingInUnthoughtLoop, param: 'reasoning_max_tokens', value: () => 0 },
  ...traitRules,
  ...temperatureRules,
  ...byThinking,
  topKAsTopP,
  visibleStops,
  ...unsupported(...openSamplingButTopK, ...openaiOnly.filter((name) => name !== 'max_tool_calls')),
  noModeration,
  limitOfSearches,
];

/** The rules on all but parameters. */
export const claudeRules = {
  conversation: [noPrefill, noTrailingSpace, wrapBrokenArguments, withoutBlankUsers, beginsWithUser],
  schemas: { strictTools: claudeStrict, output: { dialect: claudeOutput, hasLooseMode: false } },
  messages: [stripNames, onlyReasoningOf(claudeFormat), onlySignedReasoning, stripWebSearches],
} as const satisfies Partial<RuleSet>;
