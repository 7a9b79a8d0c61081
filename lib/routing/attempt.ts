/**
 * The first answer wins: tries targets in order until one shows a meaningful event. From then on the answer is
 * committed, and no other target is ever tried. This is the only place in the house that knows it.
 */
import { asGatewayError, GatewayError } from '../core/errors.ts';
import { type GenerationEvent, isMeaningful } from '../core/events.ts';
import type { Target } from '../core/model.ts';
import { retryDelay } from './retry.ts';

/** One try of one target, as it is told in `debug.routing` and in the log. */
export interface Attempt {
  readonly target: Target;
  readonly status: 'succeeded' | 'failed';
  /** Why it failed: the error's code. */
  readonly reason?: string;
  /** Until the first meaningful event, or until it failed. */
  readonly latencyMs: number;
}

export interface Opened<Details> {
  readonly events: AsyncIterable<GenerationEvent>;
  readonly details: Details;
}

export interface Answered<Details> {
  readonly target: Target;
  readonly details: Details;
  readonly attempts: readonly Attempt[];
  /** The whole answer from its first event on. Must be read to its end, or left by `return`. */
  readonly events: AsyncIterable<GenerationEvent>;
}

export interface AttemptOptions<Details> {
  readonly targets: readonly Target[];
  /** Calls one target. */
  readonly open: (target: Target) => Promise<Opened<Details>>;
  readonly now: () => number;
  /** Milliseconds until the caller's deadline. */
  readonly remainingMs: () => number;
  readonly signal: AbortSignal;
  /** Told of every try, also of those of a request that fails in the end. */
  readonly onAttempt: (attempt: Attempt) => void;
}

export async function firstAnswer<Details>(options: AttemptOptions<Details>): Promise<Answered<Details>> {
  const attempts: Attempt[] = [];
  const failures: GatewayError[] = [];
  for (const target of options.targets) {
    for (let tries = 1; ; tries++) {
      const started = options.now();
      const tell = (status: Attempt['status'], reason?: string) => {
        const latencyMs = options.now() - started;
        const attempt = { target, status, latencyMs, ...(reason === undefined ? {} : { reason }) };
        attempts.push(attempt);
        options.onAttempt(attempt);
      };
      try {
        const opened = await options.open(target);
        const events = await committed(opened.events);
        tell('succeeded');
        return { target, details: opened.details, attempts, events };
      } catch (thrown) {
        const error = asGatewayError(thrown);
        tell('failed', error.code ?? error.kind);
        if (error.recovery === 'none') throw error;
        failures.push(error);
        if (!(await retryDelay(error, tries, options))) break;
      }
    }
  }
  throw summarize(failures);
}

/** Reads up to the first meaningful event, and gives the whole stream back. */
async function committed(source: AsyncIterable<GenerationEvent>): Promise<AsyncIterable<GenerationEvent>> {
  const iterator = source[Symbol.asyncIterator]();
  const head: GenerationEvent[] = [];
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) throw new GatewayError('upstream_cut', 'The provider ended its answer before it began.');
    head.push(value);
    if (isMeaningful(value)) return resume(head, iterator);
  }
}

async function* resume(
  head: readonly GenerationEvent[],
  rest: AsyncIterator<GenerationEvent>,
): AsyncGenerator<GenerationEvent> {
  try {
    yield* head;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) return;
      yield value;
    }
  } finally {
    // Also when the reader leaves early: the upstream exchange must end with it.
    await rest.return?.();
  }
}

/** One error for all failures: the primary's, where every target failed alike; else that all of them failed. */
function summarize(failures: readonly GatewayError[]): GatewayError {
  const [primary] = failures;
  if (!primary) return new GatewayError('internal', 'The request had no target.');
  if (failures.every((failure) => failure.status === primary.status)) return primary;
  return new GatewayError('upstream_failed', 'All targets failed to answer.', {
    code: 'all_targets_failed',
    cause: primary,
  });
}
