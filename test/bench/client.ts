/**
 * The client: asks, reads to the end, and checks that the answer is complete and in order. It does as little as possible,
 * because it shares the machine with what it measures.
 */
import { Agent, type Dispatcher } from 'undici';

export interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How many numbered pieces the answer has. */
  readonly pieces: number;
  /** With what a whole stream ends, or how its last line begins; absent: the answer is one body. */
  readonly end?: string;
  /** What stands before the number of a piece, where the answer also repeats its text; absent: `#`. */
  readonly before?: string;
}

/** How long it took, in milliseconds. */
export interface Timed {
  /** Until the first piece was there. */
  readonly first: number;
  readonly whole: number;
}

export interface Client {
  /** Rejects for an answer that is not what was asked for. */
  ask(question: Question): Promise<Timed>;
  close(): Promise<void>;
}

export function createClient(url: string): Client {
  // Shorter than any server's own: a connection that was idle between two rounds may be closing at the other end.
  const agent = new Agent({ pipelining: 1, keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });
  return {
    ask: (question) => ask(agent, url, question),
    close: () => agent.destroy(),
  };
}

const firstPiece = '#0 ';

function ask(agent: Agent, origin: string, question: Question): Promise<Timed> {
  const begun = performance.now();
  const chunks: Buffer[] = [];
  let status = 0;
  let first = 0;
  return new Promise((resolve, reject) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, code) {
        status = code;
      },
      onResponseData(_controller, chunk) {
        if (first === 0 && chunk.includes(firstPiece)) first = performance.now() - begun;
        chunks.push(chunk);
      },
      onResponseEnd() {
        const whole = performance.now() - begun;
        const fault = faultOf(status, Buffer.concat(chunks).toString('latin1'), question);
        if (fault === undefined) resolve({ first, whole });
        else reject(new Error(`${origin}${question.path}: ${fault}`));
      },
      onResponseError: (_controller, error) => reject(error),
    };
    agent.dispatch(
      {
        origin,
        path: question.path,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...question.headers },
        body: question.body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

function faultOf(status: number, text: string, { pieces, end, before = '#' }: Question): string | undefined {
  if (status !== 200) return `status ${status}: ${text.slice(0, 400)}`;
  let next = 0;
  for (const [, number] of text.matchAll(new RegExp(`${before}(\\d+) `, 'g'))) {
    if (Number(number) !== next) return `piece ${number} stands where ${next} should`;
    next += 1;
  }
  if (next !== pieces) return `${next} pieces instead of ${pieces}`;
  // Some write the last blank line and some do not.
  const last = text.trimEnd();
  if (end !== undefined && !last.endsWith(end.trimEnd()) && !last.startsWith(end, last.lastIndexOf('\n') + 1))
    return `the stream ends with ${text.slice(-200)}`;
  return undefined;
}
