/**
 * The first answer wins: tries targets in order until one shows a meaningful event. From then on the answer is
 * committed, and no other target is ever tried. This is the only place in the house that knows it.
 */
import { asGatewayError, GatewayError } from '../core/errors.ts';
import { type GenerationEvent, isMeaningful } from '../core/events.ts';
import type { Target } from '../core/model.ts';
import { retryDelay } from './retry.ts';
import { verdict } from './verdict.ts';

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
  /** Calls one target. What it gives must end when the signal is aborted. */
  readonly open: (target: Target, signal: AbortSignal) => Promise<Opened<Details>>;
  /** How long a target that began to answer may show nothing while another one is left; undefined: without limit. */
  readonly firstTokenMs: (target: Target) => number | undefined;
  readonly now: () => number;
  /** Milliseconds until the caller's deadline. */
  readonly remainingMs: () => number;
  readonly signal: AbortSignal;
  /** Told of every try, also of those of a request that fails in the end. */
  readonly onAttempt: (attempt: Attempt) => void;
  /** Told of a target that was given up after all its tries. */
  readonly onFailed: (target: Target) => void;
}

/** Rejects with the first failure that no other target can mend, or with the verdict on all of them. */
export async function firstAnswer<Details>(options: AttemptOptions<Details>): Promise<Answered<Details>> {
  const attempts: Attempt[] = [];
  const onAttempt = (attempt: Attempt) => {
    attempts.push(attempt);
    options.onAttempt(attempt);
  };
  const failures: GatewayError[] = [];
  for (const [position, target] of options.targets.entries()) {
    const isLast = position === options.targets.length - 1;
    const limitMs = isLast ? undefined : options.firstTokenMs(target);
    const answer = await askTarget(target, limitMs, { ...options, onAttempt });
    if (!(answer instanceof GatewayError)) return { target, attempts, ...answer };
    failures.push(answer);
    options.onFailed(target);
  }
  throw verdict(failures);
}

/** The target's answer, or its last failure when another target may be tried. */
async function askTarget<Details>(
  target: Target,
  limitMs: number | undefined,
  options: AttemptOptions<Details>,
): Promise<Opened<Details> | GatewayError> {
  for (let tries = 1; ; tries++) {
    const started = options.now();
    const latency = () => ({ target, latencyMs: options.now() - started });
    try {
      const opened = await commit(target, limitMs, options);
      options.onAttempt({ ...latency(), status: 'succeeded' });
      return opened;
    } catch (thrown) {
      const error = asGatewayError(thrown);
      options.onAttempt({ ...latency(), status: 'failed', reason: error.code ?? error.kind });
      if (error.recovery === 'none') throw error;
      const again = await retryDelay(error, tries, options);
      // A caller who has left, or whose time is over, is owed no further call.
      if (options.signal.aborted) throw error;
      if (!again) return error;
    }
  }
}

/** Calls the target and reads up to the first meaningful event; gives the whole answer back. */
async function commit<Details>(
  target: Target,
  limitMs: number | undefined,
  { open, signal }: AttemptOptions<Details>,
): Promise<Opened<Details>> {
  if (limitMs === undefined) return readHead(await open(target, signal));
  const limit = new AbortController();
  const opened = await open(target, AbortSignal.any([signal, limit.signal]));
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await readHead(opened);
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    throw new GatewayError('upstream_timeout', 'The provider did not answer in time.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readHead<Details>({ events, details }: Opened<Details>): Promise<Opened<Details>> {
  return { details, events: await begin(events) };
}

/** Waits for the first meaningful event; gives the whole answer, from its first event on. */
export async function begin(events: AsyncIterable<GenerationEvent>): Promise<AsyncIterable<GenerationEvent>> {
  const iterator = events[Symbol.asyncIterator]();
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
