/** The request in an event of API Gateway (REST, Lambda proxy). */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpRequest } from '../request/http-request.ts';

export function requestOf(event: APIGatewayProxyEvent): HttpRequest {
  const headers = lowerNames(event.headers ?? {});
  const header = (name: string) => headers.get(name);
  return {
    method: event.httpMethod,
    path: event.requestContext.path,
    template: event.resource,
    pathParameters: event.pathParameters ?? {},
    query: event.multiValueQueryStringParameters ?? {},
    header,
    headerValues: (name) => allOf(event, name) ?? listOf(header(name)),
    // Decoded when it is read: by then it is known whose it is.
    get body() {
      const { body, isBase64Encoded } = event;
      return isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? '');
    },
    leaveBody() {
      event.body = null;
    },
    sourceIp: event.requestContext.identity.sourceIp,
  };
}

/** Names may have any case. One that is in lower case counts first, then the first of the others. */
function lowerNames(headers: APIGatewayProxyEvent['headers']): ReadonlyMap<string, string | undefined> {
  const known = new Map<string, string | undefined>();
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    if (name === lower || !known.has(lower)) known.set(lower, headers[name]);
  }
  return known;
}

function allOf({ multiValueHeaders }: APIGatewayProxyEvent, name: string): readonly string[] | undefined {
  const all = Object.entries(multiValueHeaders ?? {}).flatMap(([given, values]) =>
    given.toLowerCase() === name ? (values ?? []) : [],
  );
  return all.length > 0 ? all : undefined;
}

const listOf = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
