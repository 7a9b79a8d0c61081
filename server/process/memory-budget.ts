/**
 * The memory that the requests of one process share. Each takes what it is going to need before it needs it: one that cannot
 * have it is refused, and those that run go on. Without this, a few large bodies would end the process, and all its streams.
 */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { type RequestMemory, serverBusy } from '../../lib/core/ports/memory.ts';
import {
  bodyFactor,
  formFactor,
  maxBodyBytes,
  textFactor,
  valueBytes,
} from '../../lib/http/request/body-limit.ts';

/** The share of one request, which only grows until it is released. Then it gets nothing: a function may still run after its end. */
export interface RequestShare extends RequestMemory {
  /** Whether so many bytes more would be admitted now; nothing is counted. */
  fits(bytes: number): boolean;
  /** Gives back everything. */
  release(): void;
}

export interface MemoryBudget {
  /** In bytes, of all requests together. */
  readonly bytes: number;
  /** For one more request. */
  open(): RequestShare;
  /** In bytes. */
  used(): number;
  /** What no request has taken, in bytes; of an unlimited budget 0. */
  spare(): number;
  /** Called whenever a request has taken more. */
  onTaken(listener: () => void): void;
  /** How often there was not enough, since the start. */
  refused(): number;
}

/** What a request takes, whatever its length: for a stream, with its connections and buffers. In bytes. */
export const requestBytes = 256 * 1024;

/** The share of the budget, one of so many parts, that only requests without much of their own may use. */
const partsForLight = 4;

/** Up to here a request is light. In bytes. */
const lightBytes = 1024 * 1024;

const heaviestBytes = requestBytes + maxBodyBytes * bodyFactor;

/** The smallest budget in which the largest request can run at all. In bytes. */
export const minBudgetBytes = Math.ceil((heaviestBytes * partsForLight) / (partsForLight - 1));

/** Of a request whose body has so many bytes; `values`: as `bodyValues` counts them, absent where they are not known. */
export const memoryOfBody = (bytes: number, values = Number.POSITIVE_INFINITY): number =>
  requestBytes + Math.min(bytes * bodyFactor, bytes * textFactor + values * valueBytes);

/** The same of a form in memory. */
export const memoryOfForm = (bytes: number): number => requestBytes + bytes * formFactor;

const [quote = 0, backslash = 0, comma = 0, bracket = 0, brace = 0] = Buffer.from('"\\,[{');

/** About how many values the JSON of a large body has; undefined for a light one, which is not counted, and for what is no JSON. */
export function bodyValues(body: Buffer): number | undefined {
  if (body.length * bodyFactor <= lightBytes) return undefined;
  let count = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === comma || byte === bracket || byte === brace) count += 1;
    else if (byte === quote) {
      at = endOfText(body, at);
      if (at < 0) return undefined;
    }
  }
  return count;
}

/** The position of the quote that ends the text that begins at `start`; -1 where none does. */
function endOfText(body: Buffer, start: number): number {
  let end = start;
  let escapes: number;
  do {
    end = body.indexOf(quote, end + 1);
    escapes = 0;
    while (body[end - 1 - escapes] === backslash) escapes += 1;
  } while (escapes % 2 === 1);
  return end;
}

export function createMemoryBudget(bytes: number): MemoryBudget {
  const forHeavy = bytes * (1 - 1 / partsForLight);
  let used = 0;
  let refused = 0;
  const listeners: (() => void)[] = [];
  return {
    bytes,
    used: () => used,
    onTaken: (listener) => void listeners.push(listener),
    spare: () => (bytes === Number.POSITIVE_INFINITY ? 0 : bytes - used),
    refused: () => refused,
    open() {
      let own = 0;
      /** Of `own`: what has been reserved, and what of that is not used yet. */
      let reserved = 0;
      let ahead = 0;
      let isReleased = false;
      const isThere = (more: number, of: number) => {
        if (isReleased) return false;
        if (used + more <= of) return true;
        refused += 1;
        return false;
      };
      const fits = (more: number) => isThere(more, own + more > lightBytes ? forHeavy : bytes);
      const count = (more: number) => {
        own += more;
        used += more;
        for (const listener of listeners) listener();
        return true;
      };
      const admit = (more: number) => {
        const further = more - ahead;
        if (further > 0 && !(fits(further) && count(further))) return false;
        ahead = Math.max(0, -further);
        return !isReleased;
      };
      return {
        fits,
        admit,
        admitAnswer: (more) => (admit(more) ? undefined : serverBusy()),
        // One that is alone is tried, however much it may need.
        reserve(all) {
          const more = Math.min(all - reserved, forHeavy - own);
          if (more <= 0) return true;
          if (!(fits(more) && count(more))) return false;
          reserved += more;
          ahead += more;
          return true;
        },
        release() {
          isReleased = true;
          used -= own;
          own = 0;
        },
      };
    },
  };
}

/** A budget that is never used up: for hosts with one request in a process. */
export const unlimitedBudget = (): MemoryBudget => createMemoryBudget(Number.POSITIVE_INFINITY);

/** What the process takes without requests: its code, and what it keeps. In bytes, of the heap and of all. */
const baseBytes = { heap: 96 * 1024 * 1024, whole: 192 * 1024 * 1024 };

/**
 * The budget of a worker, one of so many in a container: what the heap, and the memory of all workers, leave to requests.
 * `memoryBytes`: of the container; absent: what this process may use, of its container or of the machine.
 */
export function defaultBudgetBytes(workers = 1, memoryBytes = ownMemory()): number {
  const heap = getHeapStatistics().heap_size_limit - baseBytes.heap;
  const whole = memoryBytes / workers - baseBytes.whole;
  return Math.max(minBudgetBytes, Math.min(heap, whole));
}

/** Without a limit, Node reports more than the machine has, or 0. */
const ownMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());
