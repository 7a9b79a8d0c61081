/** How the providers of the Responses API differ: OpenAI and Azure accept only their own models and fields, xAI is compatible. */

export interface ResponsesBehaviour {
  /** As OpenAI itself: its own model ids, no field but its own. */
  readonly strict: boolean;
  /** Whether a response in the background must be stored. */
  readonly storesBackground?: boolean;
  /** Fields that it refuses. */
  readonly refuses?: readonly string[];
  /** Outputs of functions may not hold files. Source: anomalyco/opencode PR 28561. */
  readonly refusesFilesInOutputs?: boolean;
  /** Searches are reported as function calls, without events, and citations have a URL only. */
  readonly plainSearch?: boolean;
  /** Usage counts the provider's own tools. */
  readonly reportsTools?: boolean;
  /** Keys that its response object does not have. */
  readonly omits?: readonly string[];
  /** What its response object has besides, by whether it is done. */
  readonly addition?: (done: boolean) => object;
}

export const xaiBehaviour: ResponsesBehaviour = {
  strict: false,
  refusesFilesInOutputs: true,
  plainSearch: true,
  reportsTools: true,
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
