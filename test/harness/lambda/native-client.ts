/**
 * Stands in for the compiled client of `aws-lambda-ric`: the same three functions, over HTTP. Loaded inside the
 * child process only.
 */
// What the compiled client does not load is not loaded here either: importing this module costs more than the client.
const { Agent, request } = process.getBuiltinModule('node:http');

interface Invocation {
  readonly bodyJson: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

// A server may close a kept connection just as it is used again. The runtime would end, as `next` fails then.
const agent = new Agent({ keepAlive: false });

const { flushCompileCache } = process.getBuiltinModule('node:module');
let isFirst = true;

/** Waits for the next event. */
export function next(): Promise<Invocation> {
  // The process is killed: what is compiled would be compiled again by the next one of the run.
  if (isFirst) flushCompileCache();
  isFirst = false;
  return exchange('GET', 'invocation/next');
}

/** Gives the result of a function that does not stream. */
export function done(id: string, bodyJson: string): void {
  post(`invocation/${id}/response`, bodyJson);
}

/** Reports that a function failed. */
export function error(id: string, bodyJson: string): void {
  post(`invocation/${id}/error`, bodyJson);
}

function post(path: string, body: string): void {
  // The runtime does not wait for it; the server sees a lost connection by itself.
  exchange('POST', path, body).catch(() => {});
}

function exchange(method: string, path: string, body?: string): Promise<Invocation> {
  const url = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/${path}`;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      resolve({ bodyJson: Buffer.concat(parts).toString('utf8'), headers: response.headers });
    });
    sent.on('error', reject).end(body);
  });
}
