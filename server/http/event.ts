/** Builds the event that API Gateway (REST, Lambda proxy) passes to a function, from a request of Node's HTTP server. */
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Target } from './request-target.ts';
import type { Route } from './routes.ts';

type RequestContext = APIGatewayProxyEvent['requestContext'];

interface Received {
  readonly request: IncomingMessage;
  readonly url: Target;
  readonly route: Route;
  readonly requestId: string;
  /** As received. */
  readonly body: Buffer;
  /** The address of the client. */
  readonly sourceIp: string;
}

const stage = 'server';

export function buildEvent(received: Received): APIGatewayProxyEvent {
  const { request, url, route, body } = received;
  const query = groupQuery(url.searchParams);
  const { headers, multiValueHeaders } = readHeaders(request.rawHeaders);
  const isBase64Encoded = isEncoded(request);
  return {
    resource: resourceOf(route),
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    headers,
    multiValueHeaders,
    queryStringParameters: query && lastOfEach(query),
    multiValueQueryStringParameters: query ?? null,
    pathParameters: route.pathParameters && { ...route.pathParameters },
    stageVariables: null,
    requestContext: requestContext(received),
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}

/** That of an operation of the dashboard reports by which of its paths it is called. */
const resourceOf = ({ operation, template }: Route): string =>
  operation.withKey ? template : operation.path;

/** Whether the body is compressed, so that it is passed on as bytes. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  return headers['content-encoding'] !== undefined;
}

function requestContext({ request, url, route, requestId, sourceIp }: Received): RequestContext {
  const { operation } = route;
  return {
    accountId: '000000000000',
    apiId: stage,
    authorizer: undefined,
    domainName: request.headers.host ?? url.host,
    extendedRequestId: requestId,
    httpMethod: request.method ?? 'GET',
    identity: identity(request, sourceIp),
    path: url.pathname,
    protocol: `HTTP/${request.httpVersion}`,
    requestId,
    requestTimeEpoch: Date.now(),
    resourceId: operation.name,
    resourcePath: operation.path,
    stage,
  };
}

function identity(request: IncomingMessage, sourceIp: string): RequestContext['identity'] {
  return {
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: null,
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp,
    user: null,
    userAgent: request.headers['user-agent'] ?? null,
    userArn: null,
  };
}

/** The last value of each header, and all in their order. A name keeps the case of its first occurrence. */
function readHeaders(raw: readonly string[]) {
  const headers: Record<string, string> = Object.create(null);
  const multiValueHeaders: Record<string, string[]> = Object.create(null);
  const names = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const given = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const lower = given.toLowerCase();
    const name = names.get(lower);
    if (name === undefined) {
      names.set(lower, given);
      headers[given] = value;
      multiValueHeaders[given] = [value];
    } else {
      headers[name] = value;
      multiValueHeaders[name]?.push(value);
    }
  }
  return { headers, multiValueHeaders };
}

function groupQuery(parameters: URLSearchParams): Record<string, string[]> | null {
  if (parameters.size === 0) return null;
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}

function lastOfEach(groups: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']));
}
