/** A request in its caller's own protocol, without the betas that a place has just refused as unknown to it. */
import type { GatewayError } from '../../core/errors.ts';
import type { OriginalRequest } from '../../core/generation/original.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { Normalized } from '../../normalization/rule.ts';

export function withoutRejectedBetas(
  { anthropic }: GatewayError,
  request: GenerationRequest,
): Normalized | undefined {
  const { original } = request;
  const rejected = anthropic?.rejectedBetas ?? [];
  const kept = original && withoutBetas(original, rejected);
  if (!kept) return undefined;
  const change = {
    param: 'anthropic-beta',
    action: 'strip',
    before: rejected.join(','),
    after: null,
    reason: 'The provider of this model does not know these betas.',
  } as const;
  return { request: { ...request, original: kept }, changes: [change] };
}

/** Undefined where it has none of them. */
function withoutBetas(original: OriginalRequest, betas: readonly string[]): OriginalRequest | undefined {
  const { 'anthropic-beta': given = '', ...others } = original.headers;
  const names = given.split(',').map((name) => name.trim());
  const kept = names.filter((name) => !betas.includes(name));
  if (kept.length === names.length) return undefined;
  return {
    ...original,
    headers: { ...others, ...(kept.length > 0 && { 'anthropic-beta': kept.join(',') }) },
  };
}
