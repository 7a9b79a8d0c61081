/** A provider whose streams go on, a word at a time, until the test ends them. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { chatChunk, chatUsage, dataLine } from '../harness/chat-answers.ts';
import type { UpstreamScript } from '../harness/upstream.ts';

export interface PacedAnswer {
  readonly script: UpstreamScript;
  /** Streams that have begun and not ended. */
  open(): number;
  /** All streams that are open end well. */
  finish(): void;
}

const write = (response: ServerResponse, ...chunk: Parameters<typeof chatChunk>) =>
  response.write(dataLine(chatChunk(...chunk)));

export function paceAnswer(everyMs = 50): PacedAnswer {
  const open = new Set<ServerResponse>();
  const ending = new Set<ServerResponse>();
  return {
    open: () => open.size,
    finish() {
      for (const response of open) ending.add(response);
    },
    async script(_request, response) {
      open.add(response);
      response.once('close', () => open.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      write(response, { role: 'assistant', content: '' });
      while (!ending.has(response) && !response.destroyed) {
        write(response, { content: 'word ' });
        await pause(everyMs);
      }
      write(response, {}, 'stop');
      write(response, {}, null, { choices: [], usage: chatUsage(4, 9) });
      response.end('data: [DONE]\n\n');
      open.delete(response);
      ending.delete(response);
    },
  };
}

/** A streamed answer that is read while the test goes on. */
export interface ReadAnswer {
  readonly status: number;
  /** What has come so far. */
  text(): string;
  /** Resolves when so much has come; rejects if the answer ends before that. */
  has(characters: number): Promise<void>;
  /** Resolves with everything; rejects if the connection was cut. */
  readonly whole: Promise<string>;
}

export function readAnswer(response: Response): ReadAnswer {
  let text = '';
  let hasEnded = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true });
    return text;
  };
  const whole = read();
  const end = () => {
    hasEnded = true;
  };
  whole.then(end, end);
  return {
    status: response.status,
    text: () => text,
    whole,
    async has(characters) {
      while (text.length < characters) {
        if (hasEnded) throw new Error(`The answer ended after ${text.length} characters.`);
        await pause(10);
      }
    },
  };
}
