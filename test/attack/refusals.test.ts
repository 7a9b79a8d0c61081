/** What is refused names the field and the limit, leaves one log line without the caller's text, and calls no provider. */
import { expect, test } from 'vitest';
import { captureLog } from '../harness/captured-log.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { startWatchedSandbox } from '../harness/gateways/watched-sandbox.ts';
import { use } from '../harness/use.ts';
import { type HostileRequest, hostileRequests, marker } from './hostile-requests.ts';

const sandbox = use(() => startWatchedSandbox('anthropic', 'bedrock', 'google', 'openai'));
const gateway = use(() => startTestGateway(sandbox.environment));
const log = use(captureLog);

test.each(hostileRequests.map((request) => [request.name, request] as const))('%s', async (_, request) => {
  const before = log.lines.length;
  sandbox.take();
  const { status, text } = await send(request);
  const { error } = JSON.parse(text);
  expect.soft(status).toBe(request.status);
  for (const name of request.names) expect.soft(`${error.param} ${error.message}`).toMatch(name);
  expect.soft(text.length).toBeLessThan(2_000);
  expect.soft(sandbox.take()).toEqual([]);
  const lines = log.lines.slice(before);
  expect.soft(lines.filter((line) => line.includes('"message":"request"'))).toHaveLength(1);
  for (const line of lines) {
    expect.soft(line.length).toBeLessThanOrEqual(8 * 1024);
    expect.soft(line.includes(marker)).toBe(false);
  }
});

/** A local gateway may close the connection of a body that is too large while it is sent. */
async function send({ path, body, headers = {} }: HostileRequest): Promise<{ status: number; text: string }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}
