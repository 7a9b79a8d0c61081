/**
 * The log of a local gateway on a terminal: one short line for each request instead of the functions' JSON lines. Lines
 * with warnings and errors of other kinds are written unchanged.
 */
import type { ReceivedRequest } from '../../server/http/server.ts';
import { formatRequest, type RequestFields } from './request-line.ts';

interface RequestLog {
  /** Announces a request, so that its line can name the path. */
  onRequest(request: ReceivedRequest): void;
}

interface LogLine extends RequestFields {
  readonly level?: unknown;
  readonly message?: unknown;
  readonly request_id?: unknown;
}

/** How long a function may log its line after the answer has ended. Without one, the server has answered by itself. */
const graceMs = 200;

/** The reminder is repeated after this many requests, so that it stays near the end of the screen. */
const requestsPerReminder = 20;

/** Replaces how this process writes log lines to standard output and standard error. */
export function startRequestLog(reminder: () => string): RequestLog {
  const running = new Map<string, ReceivedRequest>();
  const write = process.stdout.write.bind(process.stdout);
  let count = 0;
  const writeRequest = (request: ReceivedRequest, fields: RequestFields) => {
    running.delete(request.requestId);
    if (isOfPage(request) && Number(fields.status) < 400) return;
    write(`${formatRequest(request, fields, new Date())}\n`);
    count += 1;
    if (count % requestsPerReminder === 0) write(`${reminder()}\n`);
  };
  const writeLog = (text: string) => {
    const line = parseLine(text);
    const request = running.get(String(line.request_id));
    if (line.message === 'request' && request) writeRequest(request, line);
    else if (line.level !== 'INFO' && line.level !== 'DEBUG') write(text);
  };
  for (const stream of [process.stdout, process.stderr]) {
    const original = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      if (typeof chunk !== 'string' || !chunk.startsWith('{"level":')) return original(chunk, ...rest);
      writeLog(chunk);
      return true;
    };
  }
  return {
    onRequest(request) {
      const started = performance.now();
      running.set(request.requestId, request);
      request.response.once('close', () => {
        const fields = { status: request.response.statusCode, total_ms: performance.now() - started };
        setTimeout(() => {
          if (running.has(request.requestId)) writeRequest(request, fields);
        }, graceMs).unref();
      });
    },
  };
}

/** A page makes many, which would hide the requests of clients. */
const isOfPage = ({ path }: ReceivedRequest): boolean => /^\/(dashboard|admin|account)(\/|$)/.test(path);

function parseLine(text: string): LogLine {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    // Part of a line: it is written unchanged.
    return {};
  }
}
