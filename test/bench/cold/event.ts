/** A chat request as API Gateway gives it to the function. */
import { operationNamed } from '../../../lib/core/operations.ts';
import type { Environment } from '../contenders.ts';

export const chatOperation = operationNamed('chat-completions');

export const chatEvent = ({ apiKey }: Pick<Environment, 'apiKey'>, body: object) => ({
  resource: chatOperation.path,
  path: chatOperation.path,
  httpMethod: chatOperation.method,
  queryStringParameters: null,
  requestContext: { requestId: 'benchmark' },
  isBase64Encoded: false,
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
