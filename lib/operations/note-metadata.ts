/** The `metadata` of a request's body goes into its record, as the pairs of `x-gateway-tags` do. */
import { firstTags, type Tags } from '../core/accounting/tags.ts';
import type { RequestFacts } from '../core/endpoint.ts';

/** Pairs of the header come first. Of all, the first eight are kept. */
export function noteMetadata(facts: RequestFacts, metadata: Tags | null | undefined): void {
  const tags = firstTags({ ...facts.tags, ...metadata, ...facts.tags });
  if (tags) facts.tags = tags;
}
