/**
 * How requests are read and answers and errors are written in each protocol. Sources: smithy.io, AWS JSON 1.0 and 1.1, AWS query and
 * AWS restJson1 protocols; the codes of common errors: docs.aws.amazon.com, CommonErrors of each service.
 */
import { randomUUID } from 'node:crypto';
import {
  type AwsRefusal,
  type FakeService,
  type Input,
  PassedOn,
  type Protocol,
  type RawRequest,
} from './service.ts';
import type { Fault } from './signature.ts';
import { toXml } from './xml.ts';

export interface Asked {
  /** Empty if the request names none that the service has. */
  readonly action: string;
  readonly input: Input;
}

export function readAction(service: FakeService, request: RawRequest): Asked {
  const readers = { json: readJson, query: readForm, rest: readRoute, xml: readRoute };
  return readers[service.protocol](service, request);
}

function readJson(_service: FakeService, { headers, body }: RawRequest): Asked {
  const target = headers['x-amz-target'] ?? '';
  return { action: target.slice(target.indexOf('.') + 1), input: parsed(body) };
}

function readForm(_service: FakeService, { body }: RawRequest): Asked {
  const { Action = '', ...input } = Object.fromEntries(new URLSearchParams(body.toString()));
  return { action: Action, input };
}

function readRoute({ routes = {} }: FakeService, { method, path, body }: RawRequest): Asked {
  const { pathname, searchParams } = new URL(path, 'http://aws');
  for (const [action, route] of Object.entries(routes)) {
    const [verb = '', form = ''] = route.split(' ');
    const pattern = form.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = new RegExp(`^${pattern}/?$`).exec(pathname);
    if (verb !== method || !found) continue;
    const named = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]);
    return {
      action,
      input: { ...parsed(body), ...Object.fromEntries(searchParams), ...Object.fromEntries(named) },
    };
  }
  return { action: '', input: {} };
}

function parsed(body: Buffer): Input {
  try {
    return JSON.parse(body.toString());
  } catch {
    return {};
  }
}

export function writeAnswer(service: FakeService, action: string, value: unknown): PassedOn {
  if (value instanceof PassedOn) return value;
  const id = randomUUID();
  if (service.protocol === 'xml') return new PassedOn(200, {}, Buffer.alloc(0));
  if (service.protocol !== 'query') return json(service.protocol, 200, value ?? {}, id);
  const content = {
    [`${action}Result`]: value ?? {},
    ResponseMetadata: { RequestId: id },
  };
  const namespace = service.namespace ?? '';
  return xml(200, `<${action}Response xmlns="${namespace}">${toXml(content)}</${action}Response>`);
}

export function writeRefusal({ protocol, namespace = '' }: FakeService, refusal: AwsRefusal): PassedOn {
  const { code, status, message } = refusal;
  const id = randomUUID();
  if (protocol === 'query') {
    const Type = status < 500 ? 'Sender' : 'Receiver';
    const content = { Error: { Type, Code: code, Message: message }, RequestId: id };
    return xml(status, `<ErrorResponse xmlns="${namespace}">${toXml(content)}</ErrorResponse>`);
  }
  if (protocol === 'xml') return xml(status, `<Error>${toXml({ Code: code, Message: message })}</Error>`);
  if (protocol === 'json')
    return json(protocol, status, { __type: `com.amazonaws.service#${code}`, message }, id);
  return json(protocol, status, { message }, id, { 'x-amzn-errortype': `${code}:` });
}

function json(
  protocol: Protocol,
  status: number,
  value: unknown,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): PassedOn {
  const type = protocol === 'json' ? 'application/x-amz-json-1.1' : 'application/json';
  const all = { 'content-type': type, 'x-amzn-requestid': id, ...headers };
  return new PassedOn(status, all, Buffer.from(JSON.stringify(value)));
}

const xml = (status: number, text: string) =>
  new PassedOn(status, { 'content-type': 'text/xml' }, Buffer.from(`<?xml version="1.0"?>${text}`));

interface Failure {
  readonly code: string;
  readonly status: number;
}

/** The errors that every service of a protocol has. */
export const commonErrors: Readonly<
  Record<Protocol, Readonly<Record<'denied' | 'throttled' | 'unavailable' | 'unknownAction', Failure>>>
> = {
  json: {
    denied: { code: 'AccessDeniedException', status: 400 },
    throttled: { code: 'ThrottlingException', status: 400 },
    unavailable: { code: 'InternalServerError', status: 500 },
    unknownAction: { code: 'UnknownOperationException', status: 400 },
  },
  query: {
    denied: { code: 'AccessDenied', status: 403 },
    throttled: { code: 'Throttling', status: 400 },
    unavailable: { code: 'ServiceUnavailable', status: 503 },
    unknownAction: { code: 'InvalidAction', status: 400 },
  },
  rest: {
    denied: { code: 'AccessDeniedException', status: 403 },
    throttled: { code: 'TooManyRequestsException', status: 429 },
    unavailable: { code: 'ServiceException', status: 500 },
    unknownAction: { code: 'UnknownOperationException', status: 404 },
  },
  // Source: docs.aws.amazon.com S3, ErrorResponses.
  xml: {
    denied: { code: 'AccessDenied', status: 403 },
    throttled: { code: 'SlowDown', status: 503 },
    unavailable: { code: 'InternalError', status: 500 },
    unknownAction: { code: 'MethodNotAllowed', status: 405 },
  },
};

const jsonFaults: Readonly<Record<Fault, string>> = {
  missing: 'MissingAuthenticationTokenException',
  'unknown key': 'UnrecognizedClientException',
  'wrong token': 'UnrecognizedClientException',
  old: 'InvalidSignatureException',
  wrong: 'InvalidSignatureException',
};

/** The code of the error for a signature that is not accepted. */
export const signatureCodes: Readonly<Record<Protocol, Readonly<Record<Fault, string>>>> = {
  json: jsonFaults,
  rest: jsonFaults,
  query: {
    missing: 'MissingAuthenticationToken',
    'unknown key': 'InvalidClientTokenId',
    'wrong token': 'InvalidClientTokenId',
    old: 'SignatureDoesNotMatch',
    wrong: 'SignatureDoesNotMatch',
  },
  xml: {
    missing: 'AccessDenied',
    'unknown key': 'InvalidAccessKeyId',
    'wrong token': 'InvalidToken',
    old: 'RequestTimeTooSkewed',
    wrong: 'SignatureDoesNotMatch',
  },
};
