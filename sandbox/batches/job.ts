/** A batch of the sandbox: its lines are answered in an order of their own, by its pace, until it ends. */
import { createHash } from 'node:crypto';
import { answerWith, type Handler, type SandboxRequest } from '../exchange.ts';
import type { BatchPace } from './pace.ts';

/** A request of a batch, under the id that the caller gave it. */
export interface BatchLine {
  readonly id: string;
  /** Below the provider's base. */
  readonly path: string;
  readonly body: unknown;
}

/** What the provider answers outside of a batch. */
export interface LineAnswer {
  readonly status: number;
  readonly body: unknown;
}

type Ending = 'cancelled' | 'completed' | 'expired';

/** How far a batch is. */
export interface Progress {
  readonly answered: readonly { readonly id: string; readonly answer: LineAnswer }[];
  /** The ids of the lines without an answer. */
  readonly open: readonly string[];
  /** Absent: it runs. */
  readonly ending?: Ending;
  /** Unix milliseconds; absent while it runs. */
  readonly endedAt?: number;
}

export interface Job {
  /** Unix milliseconds. */
  readonly startedAt: number;
  look(): Progress;
  /** One that has ended stays as it is. */
  cancel(): void;
}

const atOnce: BatchPace = { answered: () => 1, isExpired: () => false };

export function beginJob(
  lines: readonly BatchLine[],
  answer: (line: BatchLine) => LineAnswer,
  pace = atOnce,
): Job {
  const order = shuffled(lines);
  const answered: { readonly id: string; readonly answer: LineAnswer }[] = [];
  const startedAt = Date.now();
  let end: { readonly ending: Ending; readonly endedAt: number } | undefined;
  const endAs = (ending: Ending) => {
    end ??= { ending, endedAt: Date.now() };
  };
  const look = () => {
    const elapsedMs = Date.now() - startedAt;
    const due = end ? answered.length : Math.floor(pace.answered(elapsedMs) * order.length);
    for (const line of order.slice(answered.length, due))
      answered.push({ id: line.id, answer: answer(line) });
    if (answered.length === order.length) endAs('completed');
    else if (pace.isExpired(elapsedMs)) endAs('expired');
    return { answered, open: order.slice(answered.length).map(({ id }) => id), ...end };
  };
  const cancel = () => {
    look();
    endAs('cancelled');
  };
  return { startedAt, look, cancel };
}

/** The answer of the same provider to the request of a line, as if it came alone. */
export function answerAlone(live: Handler, request: SandboxRequest, { path, body }: BatchLine): LineAnswer {
  const { bytes: _, ...own } = request;
  const alone = { ...own, method: 'POST', path, query: new URLSearchParams(), body };
  const { status, chunks } = answerWith(live, alone);
  return { status, body: JSON.parse(chunks.join('')) };
}

/** Always the same for the same ids. */
function shuffled(lines: readonly BatchLine[]): readonly BatchLine[] {
  const placed = lines.map((line) => ({ line, place: createHash('sha256').update(line.id).digest('hex') }));
  return placed.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ line }) => line);
}
