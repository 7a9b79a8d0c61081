/**
 * Chat requests that go over the Responses protocol: those that OpenAI's chat endpoint refuses, and those that ask for what
 * only Responses has. All others stay on chat, which has more parameters.
 */
import type { Target } from '../../core/catalog/model.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { willReason } from '../../normalization/effort.ts';
import type { Rule } from '../../normalization/rule.ts';
import { atMostChoices } from '../../normalization/rules.ts';

/** `reasoningFormat`: that of the account's encrypted reasoning. */
export function needsResponses(request: GenerationRequest, target: Target, reasoningFormat: string): boolean {
  const { traits } = target.model;
  if (traits.onlyResponses || request.webSearch) return true;
  if ((request.parameters.n ?? 1) === 1) {
    return refusesTools(request, target) || usesResponses(request, target, reasoningFormat);
  }
  // Only chat has several choices: with tools at the price of the reasoning, where it can be switched off.
  return refusesTools(request, target) && traits.reasoning?.efforts.includes('none') !== true;
}

/** Whether chat would refuse the tools, because the model reasons. */
export function refusesTools({ tools, parameters }: GenerationRequest, target: Target): boolean {
  const takesBoth = target.model.traits.toolsWhileReasoning !== false;
  return !takesBoth && tools.length > 0 && willReason(parameters, target);
}

function usesResponses({ parameters, messages }: GenerationRequest, { model }: Target, format: string) {
  const { reasoning } = model.traits;
  if (!reasoning) return false;
  const { reasoning_effort: effort, reasoning_summary: summary } = parameters;
  if (summary !== undefined || (effort === 'max' && reasoning.efforts.includes(effort))) return true;
  return messages.some(
    (message) =>
      message.role === 'assistant' && message.reasoningDetails.some((detail) => detail.format === format),
  );
}

/** Reasoning itself is never shown, and its summary only to those who ask. */
const askForSummary: Rule = {
  param: 'reasoning_summary',
  reason: 'The provider shows reasoning only as a summary, when asked for it.',
  adds: true,
  applies: ({ parameters, target }) =>
    parameters.reasoning_summary === undefined && willReason(parameters, target),
  value: () => 'auto',
};

/** The rules of such requests, beside those of the protocol. */
export const chatOverResponsesRules: readonly Rule[] = [askForSummary, ...atMostChoices(1)];
