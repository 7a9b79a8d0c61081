/** Calls operations of the dashboard's API of a gateway, by their names. */
import { type AdminOperationName, adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import type { ErrorKind } from '../../lib/core/errors/error-kinds.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import { parseJson } from '../../lib/core/formats/parse-json.ts';

/** `input`: path, query and body together. `ifMatch`: the tag of what is changed. Rejects with GatewayError for what the gateway refuses. */
// biome-ignore lint/suspicious/noExplicitAny: the answer's form is that of the operation's schema.
export type CallRemote = (name: AdminOperationName, input: object, ifMatch?: string) => Promise<any>;

/** How long an operation may take. */
const operationTimeoutMs = 60_000;

/** Bytes of an answer. */
const maxAnswerBytes = 32 * 1024 * 1024;

export function createCallAdmin(address: string, tokenOf: () => Promise<string>): CallRemote {
  return async (name, input, ifMatch) => {
    const { method, path } = adminOperationNamed(name);
    const { filled, rest } = fill(path, input);
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const query = hasBody ? '' : queryOf(rest);
    const response = await fetch(`${address}${filled}${query}`, {
      method,
      // A token is for this gateway alone.
      redirect: 'error',
      signal: AbortSignal.timeout(operationTimeoutMs),
      headers: {
        authorization: `Bearer ${await tokenOf()}`,
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(hasBody && { body: JSON.stringify(rest) }),
    }).catch((cause: unknown) => {
      throw new Error(`${address} did not answer.`, { cause });
    });
    const body = parseJson(await readText(response));
    if (response.ok && isJsonObject(body)) return body;
    throw errorOf(address, response.status, body);
  };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new Error(`The answer is larger than ${maxAnswerBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The path with its parameters, and what is left of the input. */
function fill(path: string, input: object): { readonly filled: string; readonly rest: object } {
  const rest: Record<string, unknown> = { ...input };
  const filled = path.replaceAll(/\{([a-z_]+)\+?\}/g, (_, name: string) => {
    const value = String(rest[name] ?? '');
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { filled, rest };
}

function queryOf(rest: object): string {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  return query.size === 0 ? '' : `?${query}`;
}

const kinds: Readonly<Record<number, ErrorKind>> = {
  400: 'invalid_request',
  403: 'permission_denied',
  404: 'not_found',
  409: 'conflict',
};

function errorOf(address: string, status: number, body: unknown): Error {
  const { error } = Object(body) as { readonly error?: unknown };
  const { message, param } = Object(error) as { readonly message?: unknown; readonly param?: unknown };
  if (status === 401)
    return new Error(`You are not signed in, or no longer. Sign in with: login --url ${address}`);
  const kind = kinds[status];
  if (kind === undefined || typeof message !== 'string')
    return new Error(
      `${address} answered with status ${status}${typeof message === 'string' ? `: ${message}` : '. Is the dashboard on there?'}`,
    );
  return new GatewayError(kind, message, { ...(typeof param === 'string' && { param }) });
}
