/**
 * How those who speak the Responses protocol differ: OpenAI and Azure know their own models and fields, xAI imitates them.
 */

export interface ResponsesBehaviour {
  /** As OpenAI itself: its own model ids, no field but its own. */
  readonly strict: boolean;
  /** Fields that it refuses. */
  readonly refuses?: readonly string[];
  /** Searches are told as calls of a function, without events, and what is cited by its address alone. */
  readonly plainSearch?: boolean;
  /** Usage counts the provider's own tools. */
  readonly tellsTools?: boolean;
  /** Keys that its response object does not have. */
  readonly omits?: readonly string[];
  /** What its response object has besides, by whether it is done. */
  readonly addition?: (done: boolean) => object;
}

export const xaiBehaviour: ResponsesBehaviour = {
  strict: false,
  plainSearch: true,
  tellsTools: true,
  omits: [
    ...['background', 'completed_at', 'error', 'frequency_penalty', 'instructions', 'max_tool_calls'],
    ...[
      'presence_penalty',
      'prompt_cache_key',
      'prompt_cache_retention',
      'safety_identifier',
      'service_tier',
    ],
    ...['top_logprobs', 'truncation'],
  ],
};
