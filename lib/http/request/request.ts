/** Reads a request: its method, parameters and JSON body. */
import { GatewayError } from '../../core/errors/errors.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { type RequestMemory, serverBusy } from '../../core/ports/memory.ts';
import type { RoutedOperation } from '../../core/routes.ts';
import { bodyFactor } from './body-limit.ts';
import { checkShape, checkValues } from './body-shape.ts';
import { checkCodings, contentCodings, decodeBody, unsupportedCoding } from './decode-body.ts';
import type { HttpRequest } from './http-request.ts';

/**
 * The parameters of a request without a body: those of its path, then of its query. A repeated parameter is a list, as is
 * one whose name ends with brackets, the form in which SDKs send lists.
 */
export function parameters({ query: given, pathParameters }: HttpRequest): unknown {
  const query = Object.entries(given).map(([rawName, values = []]) => {
    const name = rawName.replace(/(\[\]|%5B%5D)$/i, '');
    return [name, name === rawName && values.length === 1 ? values[0] : values];
  });
  return { ...Object.fromEntries(query), ...pathParameters };
}

/** What can be asked for with GET can be with HEAD, unless its row says otherwise. */
export const isMethodOf = ({ method: given }: HttpRequest, { method, onlyGet }: RoutedOperation): boolean =>
  (given === 'HEAD' && !onlyGet ? 'GET' : given) === method;

/** `allowed`: the methods of the path. */
export const methodNotAllowed = ({ method }: HttpRequest, allowed: readonly string[]): GatewayError =>
  new GatewayError('method_not_allowed', `Method ${method} not allowed; use ${allowed.join(' or ')}.`);

/** About how many bytes a body has, without reading it: infinitely many if it is compressed. */
export const bodyBytes = (request: HttpRequest): number =>
  contentCodings(request.header('content-encoding')).length > 0
    ? Number.POSITIVE_INFINITY
    : request.body.length;

/** The JSON object of a request's body. */
export interface GivenBody {
  readonly body: unknown;
  /** The same, with its numbers as they are written; see `exactJson`. */
  readonly exact: () => unknown;
}

/** `memory`: what a compressed body needs beside what it is sent as. `mayBeForm`: for an operation that takes a form, too. */
export function jsonBody(request: HttpRequest, memory?: RequestMemory, mayBeForm = false): GivenBody {
  const type = request.header('content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new GatewayError(
      'unsupported_media_type',
      mayBeForm
        ? "The request body must be a form or JSON: set the header 'Content-Type: multipart/form-data' with its boundary, or 'application/json'."
        : "The request body must be JSON: set the header 'Content-Type: application/json'.",
    );
  }
  const { text, problem } = readBody(request, memory);
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

function readBody({ header, body }: HttpRequest, memory: RequestMemory | undefined): BodyText {
  const codings = contentCodings(header('content-encoding'));
  if (typeof body !== 'string') {
    const bytes = decodeBody(body, codings);
    if (memory && !memory.admit(bytes.length * bodyFactor)) throw serverBusy();
    return { text: toText(bytes) };
  }
  checkCodings(codings);
  // API Gateway decodes gzip and deflate itself. Any other encoded body is damaged when it arrives as text.
  return { text: body, problem: codings.length > 0 ? unsupportedCoding : undefined };
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
