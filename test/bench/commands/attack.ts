/** What strangers and broken clients send beside the load of a server on this machine: at a bounded rate, until a time. */
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** Each of the kinds, in a second. */
const perSecond = 25;

/** Of the ones that wait for their answer. */
const timeoutMs = 10_000;

/** Resolves with how many there were. `until`: in milliseconds of `performance.now()`. */
export async function attack(url: string, apiKey: string, until: number): Promise<number> {
  // Each on a connection of its own, which is closed after the answer.
  const fresh = new Agent({ pipelining: 0, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const post = async (key: string, body: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      dispatcher: fresh,
      headers,
      body,
    });
    await answer.body.dump();
  };
  const begin = () => leave(url);
  const kinds: readonly (() => Promise<unknown>)[] = [
    begin,
    () => post('mgw_no-such-key', '{"model":"openai/gpt-4.1-mini","messages":[]}'),
    () => post(apiKey, '{"model":"openai/gpt-4.1-mini","messages":[{"role":"user"'),
    () =>
      post(
        apiKey,
        `{"model":"no/such-model","messages":[{"role":"user","content":"${'x'.repeat(20_000)}"}]}`,
      ),
  ];
  const running = new Set<Promise<unknown>>();
  let count = 0;
  for (; performance.now() < until; count += 1) {
    const attacked = (kinds[count % kinds.length] ?? begin)()
      // What becomes of an attacker's request is not measured.
      .catch(() => {})
      .finally(() => running.delete(attacked));
    running.add(attacked);
    await setTimeout(1_000 / (perSecond * kinds.length));
  }
  await Promise.all(running);
  await fresh.close();
  return count;
}

/** Connects, sends the head of a request, and leaves. */
const leave = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n');
      socket.destroySoon();
    });
    socket.once('close', () => resolve()).once('error', reject);
  });
