/**
 * A provider that fails on purpose, in the OpenAI protocol: the model's name says how. It logs every call, because the load on
 * a failing provider matters as much as the answer to the caller.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startUpstream } from '../harness/upstream.ts';

export const words = Array.from({ length: 60 }, (_, position) => `word-${position}`);
export const wholeAnswer = words.join(' ');

/** One call that arrived. */
export interface WallCall {
  readonly model: string;
  /** Milliseconds on the process's own clock. */
  readonly at: number;
  readonly lastRole: unknown;
  /** True if the answer was sent completely; false if one side disconnected. */
  readonly over: Promise<boolean>;
}

/** `attempt` counts the calls of one model from 1. */
export type Fault = (response: ServerResponse, attempt: number, call: WallCall) => void | Promise<void>;

export interface FailingProvider {
  readonly url: string;
  readonly calls: readonly WallCall[];
  close(): Promise<void>;
}

export async function startFailingProvider(
  faults: Readonly<Record<string, Fault>>,
): Promise<FailingProvider> {
  const upstream = await startUpstream();
  const calls: WallCall[] = [];
  upstream.script(({ body, over }, response) => {
    const model = String(body.model);
    const messages = Array.isArray(body.messages) ? body.messages : [];
    const call = { model, at: performance.now(), lastRole: messages.at(-1)?.role, over };
    calls.push(call);
    const attempt = calls.filter((earlier) => earlier.model === model).length;
    return (faults[model] ?? answer)(response, attempt, call);
  });
  return { url: upstream.url, calls, close: upstream.close };
}

/** The first attempts fail in one way, later ones are answered. */
export function firstFails(count: number, fault: Fault): Fault {
  return (response, attempt, call) => (attempt <= count ? fault : answer)(response, attempt, call);
}

export function refuse(status: number, code: string, headers: Record<string, string> = {}): Fault {
  return (response) => {
    const error = { message: `Refused: ${code}`, type: 'provider_error', param: null, code };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error }));
  };
}

export const reset: Fault = (response) => void response.socket?.resetAndDestroy();

export const neverAnswer: Fault = () => undefined;

export const answer: Fault = async (response) => {
  begin(response);
  say(response, words);
  finish(response);
};

/** Headers and keep-alive comments at once, but the first word only after every timeout. */
export const answerLate: Fault = async (response) => {
  begin(response);
  for (let passed = 0; passed < 5_000 && !response.destroyed; passed += 100) {
    response.write(': still here\n\n');
    await pause(100);
  }
  say(response, words);
  finish(response);
};

/** The answer stops after this many words: the connection ends, or stays open without data. */
export function breakOff(after: number, way: 'cut' | 'silence'): Fault {
  return async (response) => {
    begin(response);
    say(response, words.slice(0, after));
    await pause(20);
    if (way === 'cut') response.destroy();
  };
}

export const stumble: Fault = async (response) => {
  begin(response);
  say(response, words.slice(0, 10));
  response.write('data: {"choices": [{"delta": {"content": \n\n');
  say(response, words.slice(10), ' ');
  finish(response);
};

export const leaveOutDone: Fault = async (response) => {
  begin(response);
  say(response, words);
  finish(response, '');
};

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  send(response, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
}

function say(response: ServerResponse, spoken: readonly string[], before = ''): void {
  for (const [position, word] of spoken.entries()) {
    const content = `${position === 0 ? before : ' '}${word}`;
    send(response, [{ index: 0, delta: { content }, finish_reason: null }]);
  }
}

function finish(response: ServerResponse, mark = 'data: [DONE]\n\n'): void {
  send(response, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
  const usage = { prompt_tokens: 10, completion_tokens: words.length, total_tokens: 10 + words.length };
  send(response, [], { usage });
  response.end(mark);
}

function send(response: ServerResponse, choices: readonly object[], more: object = {}): void {
  const chunk = { id: 'one', object: 'chat.completion.chunk', created: 1, model: 'one', choices, ...more };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
