/**
 * The first answer wins: tries targets in order until one answers. From then on no other target is ever tried. What
 * counts as an answer is the operation's matter: for a stream, `begin.ts` knows it.
 */
import { asGatewayError, GatewayError } from '../core/errors.ts';
import type { Target } from '../core/model.ts';
import { withProviderName } from '../core/provider-name.ts';
import { retryDelay } from './retry.ts';
import { verdict } from './verdict.ts';

/** One try of one target, as it is told in `debug.routing` and in the log. */
export interface Attempt {
  readonly target: Target;
  readonly status: 'succeeded' | 'failed';
  /** Why it failed: the error's code. */
  readonly reason?: string;
  /** Until it answered, or failed. */
  readonly latencyMs: number;
}

export interface Answered<Answer> {
  readonly target: Target;
  readonly attempts: readonly Attempt[];
  readonly answer: Answer;
}

export interface AttemptOptions<Answer> {
  readonly targets: readonly Target[];
  /**
   * Asks one target. Resolves when the answer is certain enough to be the one: no other target is tried after that.
   * `limitMs`: how long a target that began to answer may show nothing, as another one is left.
   */
  readonly ask: (target: Target, limitMs: number | undefined) => Promise<Answer>;
  readonly firstTokenMs?: (target: Target) => number | undefined;
  readonly now: () => number;
  /** Milliseconds until the caller's deadline. */
  readonly remainingMs: () => number;
  readonly signal: AbortSignal;
  /** Told of a target that was given up after all its tries. */
  readonly onFailed: (target: Target) => void;
}

/** Rejects with the first failure that no other target can mend, or with the verdict on all of them. */
export async function firstAnswer<Answer>(options: AttemptOptions<Answer>): Promise<Answered<Answer>> {
  const attempts: Attempt[] = [];
  const failures: GatewayError[] = [];
  for (const [position, target] of options.targets.entries()) {
    const isLast = position === options.targets.length - 1;
    const limitMs = isLast ? undefined : options.firstTokenMs?.(target);
    const answer = await askTarget(target, limitMs, attempts, options);
    if (!(answer instanceof GatewayError)) return { target, attempts, answer };
    failures.push(answer);
    options.onFailed(target);
  }
  throw verdict(failures);
}

/** The target's answer, or its last failure when another target may be tried. */
async function askTarget<Answer>(
  target: Target,
  limitMs: number | undefined,
  attempts: Attempt[],
  options: AttemptOptions<Answer>,
): Promise<Answer | GatewayError> {
  for (let tries = 1; ; tries++) {
    const started = options.now();
    const latency = () => ({ target, latencyMs: options.now() - started });
    try {
      const answer = await options.ask(target, limitMs);
      attempts.push({ ...latency(), status: 'succeeded' });
      return answer;
    } catch (thrown) {
      const error = withProviderName(asGatewayError(thrown), target.deployment.provider);
      attempts.push({ ...latency(), status: 'failed', reason: error.code ?? error.kind });
      if (error.recovery === 'none') throw error;
      const again = await retryDelay(error, tries, options);
      // A caller who has left, or whose time is over, is owed no further call.
      if (options.signal.aborted) throw error;
      if (!again) return error;
    }
  }
}
