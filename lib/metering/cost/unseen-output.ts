/**
 * What a model may have generated unseen: by the time that it had. Without it, whoever leaves while a model reasons out of sight
 * would get that for nothing.
 */
import type { FinishedAttempt } from '../../core/accounting/ledger.ts';
import { addUsage, inputOnly, type Usage } from '../../core/generation/usage.ts';

/**
 * What a model usually writes in a second, in tokens; on the high side, since it bounds what a caller may get unpaid. Averages of the
 * models of OpenAI, Google, xAI and Anthropic: 121, 136, 157 and 52. Source: Artificial Analysis, median output speed, as of April 2026
 * at benchlm.ai/llm-speed.
 */
export const tokensPerSecond = 150;

/** In so many milliseconds, and at most what is reserved for it. */
export const unseenOutput = (reserved: number, milliseconds: number): number =>
  Math.min(reserved, Math.ceil((Math.max(0, milliseconds) / 1_000) * tokensPerSecond));

/** The use of an attempt; where it is an estimate and there may be hidden output, never less than its time suggests. */
export function withUnseenOutput({
  usage,
  estimated,
  output,
  at,
  endedAt = at,
}: FinishedAttempt): Usage | undefined {
  if (!usage || !estimated || !output?.isHidden) return usage;
  const missing = unseenOutput(output.reserved, endedAt - at) - usage.completionTokens;
  if (missing <= 0) return usage;
  // The parts of a sum are priced one by one.
  if (usage.calls) return addUsage(usage, { ...inputOnly(0), completionTokens: missing });
  return { ...usage, completionTokens: usage.completionTokens + missing };
}
