/** An answer that comes piece by piece: whether it was whole is known at its end. */
import type { Target } from '../../core/catalog/model.ts';
import type { AttemptFacts } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { withProviderName } from '../../core/names/provider-name.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { reasonOf } from '../../pipeline/run-targets.ts';

interface Observed {
  readonly health: PipelineParts['health'];
  readonly target: Target;
  readonly attempt: AttemptFacts;
  readonly signal: AbortSignal;
}

/** The same pieces. What the end says of the target is noted in its health and in the attempt. */
export async function* observed<Piece>(
  pieces: AsyncIterable<Piece>,
  { health, target, attempt, signal }: Observed,
): AsyncGenerator<Piece> {
  try {
    yield* pieces;
    health.succeeded(target);
  } catch (thrown) {
    const error = reasonOf(signal, thrown);
    if (!(error instanceof GatewayError)) throw error;
    attempt.error = error.code ?? error.kind;
    if (error.recovery !== 'none') health.failed(target);
    throw withProviderName(error, target.deployment.provider);
  }
}
