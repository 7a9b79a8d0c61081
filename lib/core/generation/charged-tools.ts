/** Which tools of a provider cost more than their tokens. */

/**
 * Tools, and the items of their calls, that the provider charges for beside their tokens. Others run at the caller's, or only
 * read and write tokens. A type that is not listed counts as charged for: an unknown cost is never 0.
 */
const tokensOnly =
  /^(?:apply_patch|compaction|computer|computer_use_preview|custom|function|local_shell|mcp|namespace|tool_search|additional_tools)(?:_|$)/;

export const costsMore = (type: unknown): boolean => !tokensOnly.test(`${type}`);
