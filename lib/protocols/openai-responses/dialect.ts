/** How a host's manner of the OpenAI Responses wire differs from OpenAI's own, as data. */

export interface ResponsesDialect {
  /** What the details of the host's reasoning are called: it takes back what its own account made. */
  readonly reasoningFormat: string;
  /** The role of system messages for models that reason; `system` where absent. */
  readonly reasonerSystemRole?: 'developer';
  /** The host's one name of its search; the caller's where absent. */
  readonly searchType?: string;
  /** Its `include` knows of reasoning alone; token probabilities are asked for by `logprobs`. */
  readonly includesReasoningOnly?: boolean;
}
