/**
 * A provider that fails on purpose, in the protocol that it is called in: the model's name says how. It logs every call, because
 * the load on a failing provider matters as much as the answer to the caller.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startUpstream } from '../harness/upstream.ts';
import { chatSpeech, messagesSpeech, type Speech } from './speeches.ts';

export const words = Array.from({ length: 60 }, (_, position) => `word-${position}`);
export const wholeAnswer = words.join(' ');

/** One call that arrived. */
export interface WallCall {
  readonly model: string;
  /** Milliseconds on the process's own clock. */
  readonly at: number;
  readonly lastRole: unknown;
  readonly speech: Speech;
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
  upstream.script(({ path, body, over }, response) => {
    const model = String(body.model);
    const messages = Array.isArray(body.messages) ? body.messages : [];
    const speech = path.endsWith('/messages') ? messagesSpeech : chatSpeech;
    const call = { model, at: performance.now(), lastRole: messages.at(-1)?.role, speech, over };
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
  return (response, _attempt, { speech }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(speech.errorBody(code)));
  };
}

export const reset: Fault = (response) => void response.socket?.resetAndDestroy();

export const neverAnswer: Fault = () => undefined;

export const answer: Fault = (response, _attempt, { speech }) => {
  speech.begin(response);
  speech.say(response, words);
  speech.finish(response, words.length, true);
};

/** Headers and heartbeats at once, but the first word only after every timeout. */
export const answerLate: Fault = async (response, _attempt, { speech }) => {
  speech.begin(response);
  for (let passed = 0; passed < 5_000 && !response.destroyed; passed += 100) {
    response.write(speech.heartbeat);
    await pause(100);
  }
  speech.say(response, words);
  speech.finish(response, words.length, true);
};

/** The answer stops after this many words: the connection ends, or stays open without data. */
export function breakOff(after: number, way: 'cut' | 'silence'): Fault {
  return async (response, _attempt, { speech }) => {
    speech.begin(response);
    speech.say(response, words.slice(0, after));
    await pause(20);
    if (way === 'cut') response.destroy();
  };
}

export const stumble: Fault = (response, _attempt, { speech }) => {
  speech.begin(response);
  speech.say(response, words.slice(0, 10));
  response.write(speech.broken);
  speech.say(response, words.slice(10), ' ');
  speech.finish(response, words.length, true);
};

export const leaveOutMark: Fault = (response, _attempt, { speech }) => {
  speech.begin(response);
  speech.say(response, words);
  speech.finish(response, words.length, false);
};
