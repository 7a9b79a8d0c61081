/** Calls the sandbox as a provider's own client would, and reads its streams without any code of the gateway. */
import { crc32 } from 'node:zlib';
import { sandboxRoutes } from '../../local/providers.ts';
import { type SandboxRoute, startSandbox } from '../../sandbox/server.ts';
import { use } from '../harness/use.ts';

/** An event of a stream: its name, or an empty text, and its parsed data (`[DONE]` as it is). */
export interface StreamEvent<Data> {
  readonly event: string;
  readonly data: Data;
}

export function readSse<Data>(text: string): readonly StreamEvent<Data>[] {
  const blocks = text.split(/\r?\n\r?\n/).filter((block) => block !== '');
  return blocks.map((block) => {
    const lines = block.split(/\r?\n/).map((line) => /^(\w+): (.*)$/.exec(line) ?? []);
    const field = (name: string) => lines.find(([, found]) => found === name)?.[2] ?? '';
    const data = field('data');
    return { event: field('event'), data: data === '[DONE]' ? data : JSON.parse(data) };
  });
}

/** The messages of an AWS event stream, both checksums of each verified. */
export function readEventStream<Data>(bytes: Buffer): readonly StreamEvent<Data>[] {
  const events: StreamEvent<Data>[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const length = rest.readUInt32BE(0);
    const message = rest.subarray(0, length);
    checkSums(message, length);
    const headersEnd = 12 + message.readUInt32BE(4);
    const event = readHeaders(message.subarray(12, headersEnd))[':event-type'] ?? '';
    events.push({ event, data: JSON.parse(message.subarray(headersEnd, length - 4).toString('utf8')) });
    rest = rest.subarray(length);
  }
  return events;
}

function checkSums(message: Buffer, length: number): void {
  const prelude = crc32(message.subarray(0, 8)) === message.readUInt32BE(8);
  const whole = crc32(message.subarray(0, length - 4)) === message.readUInt32BE(length - 4);
  if (!prelude || !whole) throw new Error('A checksum of the message is wrong.');
}

function readHeaders(bytes: Buffer): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const valueStart = nameEnd + 3;
    const valueEnd = valueStart + bytes.readUInt16BE(nameEnd + 1);
    headers[bytes.toString('utf8', at + 1, nameEnd)] = bytes.toString('utf8', valueStart, valueEnd);
    at = valueEnd;
  }
  return headers;
}

/** Asks for both functions in the words that the sandbox knows. */
export const bothCalls = 'sandbox call get_weather, sandbox call get_time';

/** Starts a sandbox for the tests of a file. Clients of it send requests of one provider, with its headers. */
export function useSandbox(routes: readonly SandboxRoute[] = sandboxRoutes) {
  const sandbox = use(() => startSandbox(routes, { pauseMs: 0 }));
  return (base: string, headers: Readonly<Record<string, string>>) =>
    (path: string, body: object, replaced: Readonly<Record<string, string>> = headers) =>
      fetch(`${sandbox.url}${base}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...replaced },
        body: JSON.stringify(body),
      });
}

export const weatherSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    unit: { enum: ['celsius', 'fahrenheit'] },
    days: { type: 'integer' },
  },
  required: ['city', 'unit'],
  additionalProperties: false,
} as const;

/** What the sandbox fills such a schema with. */
export const weatherSample = { city: 'sandbox', unit: 'celsius' };
