/** The gateway's own provider keys are sent to their provider, and neither logged nor shown to a caller. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CapturedLog, captureLog } from '../harness/captured-log.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { startUpstream, type Upstream, type UpstreamScript } from '../harness/upstream.ts';

// They look like keys, so that it is not enough to hide text that does not.
const keys = { OPENAI_API_KEY: 'sk-proj-Kept0Secret1Openai2', ANTHROPIC_API_KEY: 'plainwordskeptsecret' };

let upstream: Upstream;
let gateway: TestGateway;
let log: CapturedLog;
beforeAll(async () => {
  upstream = await startUpstream();
  const addresses = {
    OPENAI_UPSTREAM_URL: `${upstream.url}/v1`,
    ANTHROPIC_UPSTREAM_URL: `${upstream.url}/v1`,
  };
  gateway = await startTestGateway({ ...keys, ...addresses, LOG_LEVEL: 'DEBUG' });
  log = captureLog();
});
afterAll(async () => {
  log.release();
  await gateway.close();
  await upstream.close();
});

const echo: UpstreamScript = ({ headers }, response) => {
  const sent = JSON.stringify(headers);
  response.writeHead(401, {
    'content-type': 'application/json',
    'x-echo': sent.replaceAll(/[^\x20-\x7e]/g, ''),
  });
  response.end(
    JSON.stringify({ type: 'error', error: { type: 'authentication_error', code: 'x', message: sent } }),
  );
};

test.each<[string, UpstreamScript]>([
  ['is rejected by a provider that repeats it', echo],
  ['is sent to a provider that disconnects', (_, response) => void response.destroy()],
  [
    'is sent to a provider that returns an invalid answer',
    (_, response) => void response.writeHead(200).end('<html>'),
  ],
])('a key that %s is not shown', async (_, script) => {
  upstream.script(script);
  for (const [model, path] of [
    ['openai/gpt-5.5', '/v1/chat/completions'],
    ['openai/gpt-5.5', '/v1/responses'],
    ['anthropic/claude-haiku-4-5', '/v1/chat/completions'],
  ] as const) {
    for (const stream of [false, true]) {
      const before = log.lines.length;
      const said =
        path === '/v1/responses' ? { input: 'Hi' } : { messages: [{ role: 'user', content: 'Hi' }] };
      const extra = { debug: ['routing', 'normalizations'] };
      const answer = await gateway.post(path, { model, stream, extra, ...said });
      const received = JSON.stringify([...answer.headers]) + (await answer.text());
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(log.lines.length).toBeGreaterThan(before);
      for (const key of Object.values(keys)) {
        expect(received).not.toContain(key);
        expect(log.lines.join('\n')).not.toContain(key);
      }
    }
  }
  const sent = upstream.requests.map(({ headers }) => JSON.stringify(headers)).join('\n');
  for (const key of Object.values(keys)) expect(sent).toContain(key);
});
