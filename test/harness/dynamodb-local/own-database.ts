/**
 * A database of its own for one test, in an engine that all tests share: DynamoDB Local keeps the tables of each access key and region
 * apart, and does not check signatures. Source: docs.aws.amazon.com DynamoDB, DynamoDBLocal.UsageNotes.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server, request as send } from 'node:http';

/** Passes every call on, as one of this access key. */
export function ownDatabase(engine: string): Server {
  const key = randomBytes(10).toString('hex').toUpperCase();
  const authorization = `AWS4-HMAC-SHA256 Credential=${key}/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
  const { host } = new URL(engine);
  return createServer((asked, response) => {
    const { method = 'POST', url = '/', headers } = asked;
    const passed = send(
      `${engine}${url}`,
      { method, headers: { ...headers, host, authorization } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    asked.pipe(passed);
  });
}
