/**
 * A prompt that is longer than the model's context, in Anthropic's words: its clients shorten the conversation when they read them,
 * and take from the two numbers how much is too much.
 */
import type { GatewayError, PromptTokens } from './errors.ts';

/** Undefined for an error of another kind. */
export function promptTooLong({ kind, message, promptTokens, anthropic }: GatewayError): string | undefined {
  if (kind !== 'upstream_context_length') return undefined;
  // Anthropic's own: of the prompt, or of the prompt and `max_tokens` together.
  if (anthropic && / \d+ > \d| tokens > \d/.test(message)) return message;
  const [used, maximum] = statedBy(message) ?? estimated(promptTokens);
  return `prompt is too long: ${used} tokens > ${maximum} maximum`;
}

type Sizes = readonly [used: number, maximum: number];

/** No context is smaller: such a number is something else. */
const leastContext = 100;

/** A number that such a word precedes, with words between the two, or follows at once. */
const maximums = [
  /(?:\b(?:max(?:imum)?|limit|allowed|window|at most|up to|exceed\w*)\b|<=)[^\d.;]{0,80}(\d[\d,_]*)/gi,
  /(\d[\d,_]{0,20}) (?:tokens? )?(?:max(?:imum)?|limit)\b/gi,
];

/** What the provider's message states: a maximum, and its largest number as what was sent. */
function statedBy(message: string): Sizes | undefined {
  const used = Math.max(0, ...[...message.matchAll(/\d[\d,_]*/g)].map(([digits]) => toNumber(digits)));
  const maximum = maximums
    .flatMap((pattern) => [...message.matchAll(pattern)].map(([, digits = '']) => toNumber(digits)))
    .find((number) => number >= leastContext && number < used);
  return maximum === undefined || !Number.isSafeInteger(used) ? undefined : [used, maximum];
}

const toNumber = (digits: string): number => Number(digits.replace(/[,_]/g, ''));

/** The provider has found it too long, whatever the estimate is. */
function estimated({ used = 0, maximum = 1 }: PromptTokens = {}): Sizes {
  return [Math.max(used, maximum + 1), maximum];
}
