/**
 * An upstream protocol in the benchmark: how a caller asks in it, and what the mock upstream answers. The text of every
 * answer is numbered pieces, so that the client sees whether one is missing or out of order.
 */

/** What one request asks of the upstream. It is part of the text of the question, which every server forwards. */
export interface Work {
  /** Pieces of text in the answer. */
  readonly pieces: number;
  /** Milliseconds between them in a stream; 0: all at once. */
  readonly paceMs: number;
  /** Messages of the conversation, the question included. */
  readonly messages: number;
}

export interface Protocol {
  readonly name: string;
  /** The gateway's name of the model with this protocol. */
  readonly model: string;
  /** The beginning of the upstream's paths, with the version. */
  readonly base: string;
  /** Below `base`. */
  path(stream: boolean): string;
  /** The body of a request in the protocol itself. */
  ask(work: Work, stream: boolean): object;
  /** A whole answer. */
  body(pieces: readonly string[]): object;
  /** The same as a stream, each event with its framing: as many before the first piece and after the last as it takes. */
  stream(pieces: readonly string[]): {
    readonly before: string;
    readonly pieces: readonly string[];
    readonly after: string;
  };
  /** The end of a complete stream. */
  readonly end: string;
}

export const writePieces = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `#${index} and so on `);

const filler =
  'A sentence of the conversation, about as long as people write them when they are in no hurry.';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A conversation that ends with the question, which contains the work. */
export function writeTurns({ pieces, paceMs, messages }: Work): readonly Turn[] {
  const earlier = Array.from({ length: messages - 1 }, (_, index): Turn => {
    // The last one before the question is the assistant's.
    return { role: (messages - index) % 2 === 0 ? 'assistant' : 'user', text: `${index} ${filler}` };
  });
  return [...earlier, { role: 'user', text: `${filler} pieces=${pieces} pace=${paceMs};` }];
}

/** Finds the work that `writeTurns` wrote, in the bytes of a request. */
export function readWork(body: Buffer): Pick<Work, 'pieces' | 'paceMs'> {
  const at = body.lastIndexOf('pieces=');
  const found = /^pieces=(\d+) pace=(\d+);/.exec(body.toString('latin1', at, at + 40));
  if (!found) throw new Error('The request contains no work.');
  return { pieces: Number(found[1]), paceMs: Number(found[2]) };
}

export const dataEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

export const system = 'You are the upstream of a benchmark.';
