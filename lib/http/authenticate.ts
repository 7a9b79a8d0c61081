/** Who is calling: the key of the `Authorization` header, or a 401 that says what is wrong with it. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isWellFormedApiKey } from '../core/api-key.ts';
import { GatewayError } from '../core/errors.ts';
import type { ApiKey, FindApiKey } from '../core/ports.ts';
import { header } from './request.ts';

export async function authenticate(event: APIGatewayProxyEvent, findApiKey: FindApiKey): Promise<ApiKey> {
  const authorization = header(event, 'authorization');
  if (authorization === undefined) {
    throw unauthorized("No API key was given: send it as 'Authorization: Bearer <API key>'.");
  }
  const secret = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (secret === undefined) {
    throw unauthorized("The Authorization header must have the form 'Bearer <API key>'.");
  }
  if (!isWellFormedApiKey(secret)) throw unauthorized('The API key is malformed: it may be mistyped.');
  const key = await findApiKey(secret);
  if (!key) throw unauthorized('The API key is unknown, disabled or expired.');
  return key;
}

function unauthorized(message: string): GatewayError {
  return new GatewayError('invalid_api_key', message);
}
