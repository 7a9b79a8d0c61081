/** Reads a Lambda proxy event: headers, parameters and JSON body. */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { GatewayError } from '../../core/errors/errors.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { withTime } from '../../core/names/request-id.ts';
import { type RequestMemory, serverBusy } from '../../core/ports/memory.ts';
import type { MeasuredRequest } from '../../core/ports/request-metrics.ts';
import { methodsOf, type RoutedOperation } from '../../core/routes.ts';
import { bodyFactor } from './body-limit.ts';
import { checkShape, checkValues } from './body-shape.ts';
import { checkCodings, contentCodings, decodeBody, unsupportedCoding } from './decode-body.ts';

/**
 * The Lambda context. Only a server sets `signal`: Lambda does not report that a client has disconnected. It aborts with a
 * GatewayError as its reason when the server stops.
 */
export type InvocationContext = Context & {
  readonly signal?: AbortSignal;
  /** Of a process with many requests. */
  readonly memory?: RequestMemory;
  readonly count?: (request: MeasuredRequest) => void;
};

export const hasDisconnected = ({ signal }: InvocationContext): boolean =>
  signal?.aborted === true && !(signal.reason instanceof GatewayError);

type Headers = APIGatewayProxyEvent['headers'];

/** By name in lower case, of each event: a request is asked for a dozen headers, of which it has three. */
const byLowerName = new WeakMap<Headers, ReadonlyMap<string, string | undefined>>();

/** A header's value. `name` is in lower case; the event's names may have any case. */
export function header({ headers }: APIGatewayProxyEvent, name: string): string | undefined {
  if (!headers) return undefined;
  const known = byLowerName.get(headers) ?? lowerNames(headers);
  return known.get(name);
}

/** Every value of a header that may come more than once. */
export function headerValues(event: APIGatewayProxyEvent, name: string): readonly string[] {
  const all = Object.entries(event.multiValueHeaders ?? {}).flatMap(([given, values]) =>
    given.toLowerCase() === name ? (values ?? []) : [],
  );
  if (all.length > 0) return all;
  const one = header(event, name);
  return one === undefined ? [] : [one];
}

/** A name that is in lower case counts first, then the first of the others. */
function lowerNames(headers: Headers): ReadonlyMap<string, string | undefined> {
  const known = new Map<string, string | undefined>();
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    if (name === lower || !known.has(lower)) known.set(lower, headers[name]);
  }
  byLowerName.set(headers, known);
  return known;
}

/**
 * Lambda's id, with the time in it. That of API Gateway can be set by the caller (header x-amzn-RequestId; source: API Gateway
 * developer guide, `$context.requestId`): two requests with one id would be one record, and only one of them would be billed.
 *
 * `now`: Unix milliseconds.
 */
export const requestIdOf = ({ awsRequestId }: InvocationContext, now: number): string =>
  withTime(awsRequestId, now);

/** Lambda's id as it is in the lines that Lambda writes; undefined in a server, which alone sets `signal`. */
export const lambdaRequestIdOf = ({ awsRequestId, signal }: InvocationContext): string | undefined =>
  signal ? undefined : awsRequestId;

/**
 * The parameters of a request without a body: those of its path, then of its query. A repeated parameter is a list, as is
 * one whose name ends with brackets, the form in which SDKs send lists.
 */
export function parameters(event: APIGatewayProxyEvent): unknown {
  const query = Object.entries(event.multiValueQueryStringParameters ?? {}).map(([rawName, values = []]) => {
    const name = rawName.replace(/(\[\]|%5B%5D)$/i, '');
    return [name, name === rawName && values.length === 1 ? values[0] : values];
  });
  return { ...Object.fromEntries(query), ...event.pathParameters };
}

/** What can be asked for with GET can be with HEAD, unless its row says otherwise. `among`: the table of the operation. */
export function checkMethod(
  { httpMethod }: APIGatewayProxyEvent,
  { method, onlyGet, path }: RoutedOperation,
  among: readonly RoutedOperation[],
): void {
  const asked = httpMethod === 'HEAD' && !onlyGet ? 'GET' : httpMethod;
  if (asked === method) return;
  const message = `Method ${httpMethod} not allowed; use ${methodsOf(path, among).join(' or ')}.`;
  throw new GatewayError('method_not_allowed', message);
}

/** About how many bytes a body has, without reading it: infinitely many if it is compressed. */
export function bodyBytes(event: APIGatewayProxyEvent): number {
  const length = event.body?.length ?? 0;
  if (contentCodings(header(event, 'content-encoding')).length > 0) return Number.POSITIVE_INFINITY;
  return event.isBase64Encoded ? (length / 4) * 3 : length;
}

/** The JSON object of a request's body. */
export interface GivenBody {
  readonly body: unknown;
  /** The same, with its numbers as they are written; see `exactJson`. */
  readonly exact: () => unknown;
}

/** `memory`: what a compressed body needs beside what it is sent as. */
export function jsonBody(event: APIGatewayProxyEvent, memory?: RequestMemory): GivenBody {
  const type = header(event, 'content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new GatewayError(
      'unsupported_media_type',
      "The request body must be JSON: set the header 'Content-Type: application/json'.",
    );
  }
  const { text, problem } = readBody(event, memory);
  const body = parse(text, problem);
  if (!isJsonObject(body)) {
    throw new GatewayError('invalid_request', 'The request body must be a JSON object.');
  }
  checkShape(body);
  return { body, exact: () => exactJson(text, body) };
}

/** `problem` replaces what the parser says. */
interface BodyText {
  readonly text: string;
  readonly problem?: (() => GatewayError) | undefined;
}

function readBody(event: APIGatewayProxyEvent, memory: RequestMemory | undefined): BodyText {
  const codings = contentCodings(header(event, 'content-encoding'));
  if (event.isBase64Encoded) {
    const bytes = decodeBody(Buffer.from(event.body ?? '', 'base64'), codings);
    if (memory && !memory.admit(bytes.length * bodyFactor)) throw serverBusy();
    return { text: toText(bytes) };
  }
  checkCodings(codings);
  // API Gateway decodes gzip and deflate itself. Any other encoded body is damaged when it arrives as text.
  return { text: event.body ?? '', problem: codings.length > 0 ? unsupportedCoding : undefined };
}

function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new GatewayError('invalid_request', 'The request body is not valid UTF-8.');
  }
}

function parse(text: string, problem: BodyText['problem']): unknown {
  checkValues(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (problem) throw problem();
    // The parser's own message quotes the body: only the position is taken from it.
    const position = / \(line \d+ column \d+\)$/.exec(error instanceof Error ? error.message : '')?.[0] ?? '';
    const message =
      text === '' ? 'The request body is empty.' : `The request body is not valid JSON${position}.`;
    throw new GatewayError('invalid_request', message);
  }
}
