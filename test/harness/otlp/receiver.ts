/** An OTLP/HTTP receiver on loopback that refuses with 400 what the protocol does not allow, and answers as a test scripts it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { end, listen } from '../listening.ts';
import { messages, type ReceivedAttributes, type ReceivedMetric, type ReceivedSpan } from './messages.ts';

interface ReceivedBody {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** As it was sent, decompressed. */
  readonly text: string;
  readonly resource: ReceivedAttributes;
}

/** Undefined: it takes the body. */
export type CollectorScript = (response: ServerResponse, path: string) => 'answered' | undefined;

export interface Receiver {
  readonly url: string;
  readonly bodies: readonly ReceivedBody[];
  readonly spans: readonly ReceivedSpan[];
  readonly metrics: readonly ReceivedMetric[];
  /** Why bodies were refused: empty where the sender keeps to the protocol. */
  readonly problems: readonly string[];
  /** Requests of any kind. */
  requests(): number;
  /** How further requests are answered; without one, with success. */
  script(script?: CollectorScript): void;
  clear(): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let bodies: ReceivedBody[] = [];
  let spans: ReceivedSpan[] = [];
  let metrics: ReceivedMetric[] = [];
  let problems: string[] = [];
  let requests = 0;
  let current: CollectorScript = () => undefined;
  const take = (request: IncomingMessage, body: Buffer): string | undefined => {
    const { url: path = '', method, headers } = request;
    if (method !== 'POST') return `method ${method}`;
    if (headers['content-type'] !== 'application/json') return `type ${headers['content-type']}`;
    const coding = headers['content-encoding'];
    if (coding !== undefined && coding !== 'gzip') return `coding ${coding}`;
    if (Number(headers['content-length']) !== body.length) return 'no length';
    const text = (coding === 'gzip' ? gunzipSync(body) : body).toString();
    if (path === '/v1/traces') {
      const read = messages[path].safeParse(JSON.parse(text));
      if (!read.success) return read.error.message;
      for (const { resource, scopeSpans } of read.data.resourceSpans) {
        bodies.push({ path, headers, text, resource: resource.attributes });
        spans.push(...scopeSpans.flatMap((of) => of.spans));
      }
      return undefined;
    }
    if (path !== '/v1/metrics') return `path ${path}`;
    const read = messages[path].safeParse(JSON.parse(text));
    if (!read.success) return read.error.message;
    for (const { resource, scopeMetrics } of read.data.resourceMetrics) {
      bodies.push({ path, headers, text, resource: resource.attributes });
      metrics.push(...scopeMetrics.flatMap((of) => of.metrics));
    }
    return undefined;
  };
  const server = createServer(async (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (current(response, request.url ?? '') === 'answered') return;
    let problem: string | undefined;
    try {
      problem = take(request, Buffer.concat(chunks));
    } catch (thrown) {
      problem = String(thrown);
    }
    if (problem !== undefined) problems.push(problem);
    response
      .writeHead(problem === undefined ? 200 : 400, { 'content-type': 'application/json' })
      .end(JSON.stringify(problem === undefined ? {} : { code: 3, message: problem }));
  });
  const url = await listen(server);
  return {
    url,
    get bodies() {
      return bodies;
    },
    get spans() {
      return spans;
    },
    get metrics() {
      return metrics;
    },
    get problems() {
      return problems;
    },
    requests: () => requests,
    script(script = () => undefined) {
      current = script;
    },
    clear() {
      bodies = [];
      spans = [];
      metrics = [];
      problems = [];
      requests = 0;
    },
    close: () => end(server),
  };
}

/** Attributes by name, each as the value it holds; whole numbers as numbers. */
export function attributesByName(attributes: ReceivedAttributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOfAttribute(value)]));
}

function valueOfAttribute(value: ReceivedAttributes[number]['value']): unknown {
  if ('intValue' in value) return Number(value.intValue);
  if ('arrayValue' in value) return value.arrayValue.values.map(valueOfAttribute);
  return Object.values(value)[0];
}
