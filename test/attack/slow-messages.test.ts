/** A provider's error that repeats a caller's text takes no longer to read than any other of its length, and delays no one. */
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { protocolScripts } from '../harness/protocol-scripts.ts';
import { answerJson } from '../harness/upstream.ts';

const protocols = useProtocolGateway();

const length = 3_990;
const harmless = 'word '.repeat(length / 5);
const words = [
  'project',
  'organization name',
  'team',
  'api key',
  'token provided',
  'account:',
  'wait 1',
  'blocked by',
];
const hostile = words.flatMap((word) =>
  [' ', '\t', '\n', 'a-', 'a.'].map((piece) => word + piece.repeat((length - word.length) / piece.length)),
);

/** The longest that a request of another caller takes while the provider refuses with each text, in milliseconds. */
async function longestWait(
  ask: (text: string) => Promise<unknown>,
  texts: readonly string[],
): Promise<number> {
  let longest = 0;
  for (const text of texts) {
    const asked = ask(text);
    const started = performance.now();
    await (await fetch(`${protocols.gateway.url}/v1/models`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - started);
    await asked;
  }
  return longest;
}

describe.each(protocolScripts)('$protocol', (script) => {
  const ask = async (text: string) => {
    const message = `Unknown parameter: '${text}'.`;
    protocols.upstream.script(
      answerJson({ message, error: { message, type: 'invalid_request_error' } }, 400),
    );
    expect((await protocols.ask(script)).status).toBe(400);
  };

  test('refuses in the same time whatever it repeats', async () => {
    await longestWait(ask, [harmless]);
    const usual = await longestWait(
      ask,
      hostile.map(() => harmless),
    );
    const attacked = await longestWait(ask, hostile);
    // The slow pattern took seconds, some hundred times as long.
    expect(attacked).toBeLessThan(20 * Math.max(usual, 10));
  });
});
