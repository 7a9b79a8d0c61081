/** The differences between hosts of the OpenAI Responses protocol, as data. */

export interface ResponsesDialect {
  /** The format of the host's reasoning details: it takes back what its own account produced. */
  readonly reasoningFormat: string;
  /** The role of system messages for reasoning models; `system` if absent. */
  readonly reasonerSystemRole?: 'developer';
  /** The host's only name of its web search; the caller's if absent. */
  readonly searchType?: string;
  /** A function without `strict` is left to the host, which is strict then. Absent: such functions are not strict. */
  readonly strictByDefault?: boolean;
  /** Its `include` supports only reasoning; log probabilities are requested by `logprobs`. */
  readonly includesReasoningOnly?: boolean;
  /**
   * A call of a custom tool is always one of the caller's. Where it is not, it is an item of the host's own: xAI writes
   * calls of its own tools so.
   */
  readonly hasCustomTools?: boolean;
}
