/** How many tokens of thinking an effort is, where one of the two stands for the other. Before the model's own range is applied. */
import type { ReasoningEffort } from './request.ts';

export const thinkingTokens: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 10_000,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};
