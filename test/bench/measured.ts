/** What a run measured: the JSON that it writes, and what the tables are made of. Times are milliseconds unless named. */
import type { ContenderName, OtherOperation } from './contenders.ts';

/** One contender in one scenario, the rounds taken together. */
export interface Taken {
  readonly contender: ContenderName;
  readonly requests: number;
  readonly perSecond: number;
  /** Microseconds of processor time for a request. */
  readonly cpu: number;
  /** Divided by that of `bare` in the same round; 1 for `bare` itself. */
  readonly overBare: number;
  readonly p50: number;
  readonly p99: number;
  /** To the first piece. */
  readonly first: number;
}

export interface Scenario {
  readonly form: 'body' | 'stream' | 'paced stream' | 'fast stream';
  readonly protocol: string;
  readonly callers: number;
  /** Pieces of an answer. */
  readonly pieces: number;
  readonly taken: readonly Taken[];
}

/** Requests of another operation beside those of chat to the same model. */
export interface OperationCost {
  readonly operation: OtherOperation;
  readonly form: Scenario['form'];
  /** Of the provider. */
  readonly protocol: string;
  readonly callers: number;
  /** Microseconds of the gateway's processor time for a request. */
  readonly chat: number;
  readonly other: number;
  /** One by the other, in the same round. */
  readonly overChat: number;
}

/** Of one function. */
export interface ColdStarts {
  readonly function: string;
  readonly processes: number;
  /** From spawn to the first streamed piece: of the empty function, and of this one. */
  readonly hello: number;
  readonly own: number;
  /** One by the other, in the same turn. */
  readonly overHello: number;
}

export interface Bundle {
  readonly name: string;
  /** KB that are loaded when it starts, and in all. */
  readonly atStart: number;
  readonly total: number;
}

export interface Memory {
  readonly contender: ContenderName;
  /** MB of the process and of what JavaScript holds, before and after so many requests. */
  readonly requests: number;
  readonly before: { readonly resident: number; readonly held: number };
  readonly after: { readonly resident: number; readonly held: number };
  readonly streams: number;
  /** KB for one more stream, of what JavaScript holds. */
  readonly perStream: number;
  /** MB of the process while the streams ran. */
  readonly residentWithStreams: number;
}

export interface Measured {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly quick: boolean;
  readonly scenarios: readonly Scenario[];
  /** Both are absent in results of older runs. */
  readonly operations?: readonly OperationCost[];
  readonly coldStarts?: readonly ColdStarts[];
  readonly bundles: readonly Bundle[];
  readonly memory: readonly Memory[];
}

/** The result of a load. */
export interface Load {
  readonly date: string;
  readonly commit: string;
  readonly minutes: number;
  readonly streamsAtOnce: number;
  /** Whole answers. */
  readonly streams: number;
  readonly bodies: number;
  /** Requests and connections of the attack in the second half. */
  readonly attackers: number;
  readonly failed: number;
  /** For want of memory. */
  readonly refused: number;
  /** MB of JavaScript's objects and of the process, once everything was warm, and at the end. */
  readonly heapWarm: number;
  readonly heapEnd: number;
  readonly residentWarm: number;
  readonly residentEnd: number;
  /** Of 99 of 100 turns of the event loop, at most, in any minute before the attack. */
  readonly delay: number;
  /** Of 99 of 100 first tokens: while the callers came, then, and beside the attack. */
  readonly firstInRamp: number;
  readonly first: number;
  readonly firstBesideAttack: number;
}
