/** The ways in which clients reach the gateway: the header of their key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/api-key.ts';
import { useAccess } from '../harness/access.ts';
import { type CapturedLog, captureLog } from '../harness/captured-log.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();
const access = useAccess();

let log: CapturedLog;
beforeAll(() => {
  log = captureLog();
});
afterAll(() => log.release());

const body = { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'Hello.' }] };

/** `authorization` is that of the gateway's first key unless it is given. */
const chat = (headers: Record<string, string>) => gateway.post('/v1/chat/completions', body, headers);

const newSecret = async () => (await access.newKey()).authorization.replace('Bearer ', '');

describe('a key', () => {
  test.each(['x-api-key', 'api-key'])(
    'is taken from %s, and goes neither upstream nor into the log',
    async (name) => {
      const secret = await newSecret();
      gateway.take();
      const before = log.lines.length;
      expect((await chat({ authorization: '', [name]: secret })).status).toBe(200);
      expect(JSON.stringify(gateway.take())).not.toContain(secret);
      await expect.poll(() => log.lines.slice(before).join(), { timeout: 20_000 }).toContain('"request_id"');
      expect(log.lines.join()).not.toContain(secret);
    },
  );

  test('that differs from another one is refused, and neither is shown', async () => {
    const secret = newApiKey();
    const response = await chat({ 'x-api-key': secret });
    const text = await response.text();
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(text).toContain('Several different API keys');
    expect(text + log.lines.join()).not.toContain(secret);
    expect(gateway.take()).toEqual([]);
  });
});
