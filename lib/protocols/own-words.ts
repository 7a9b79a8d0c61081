/**
 * A provider's own words in an error message. A message may repeat what a caller wrote, and that must not decide what the
 * failure means: status and code come first, and a phrase counts only where the message begins with it.
 */
import type { UpstreamKind } from './failure.ts';
import { readLimit } from './provider-message.ts';

/** Each matches from the beginning of a message: `^`, and before its phrase only words without quotes, colons and brackets. */
export type Phrases = readonly (readonly [RegExp, UpstreamKind])[];

/** What a validator says about a field, which the caller may have named: "<field>: Extra inputs are not permitted". */
const aboutField = /: (?:extra inputs are not permitted|field required|input should be)\b/i;

/** What stands before the words of the model's own server. */
const wrapper = /^(?:the model returned the following errors|invalid request|bad request|error): /i;

/** Whether a message begins with the phrase. */
export function beginsWith(message: string, phrase: RegExp): boolean {
  const words = message.slice(0, readLimit).replace(/\s+/g, ' ').trim();
  return !aboutField.test(words) && phrase.test(words.replace(wrapper, ''));
}

/** The meaning of the first phrase that the message begins with. */
export function kindByWords(message: string, phrases: Phrases): UpstreamKind | undefined {
  return phrases.find(([phrase]) => beginsWith(message, phrase))?.[1];
}
