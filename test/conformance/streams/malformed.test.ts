/** Malformed frames: invalid lines between valid ones are ignored, damaged bytes end the answer. */
import { expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { end, finish, protocolScripts, start, text } from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();
const textual = protocolScripts.filter(({ streamType }) => streamType === 'text/event-stream');
const binary = protocolScripts.filter(({ streamType }) => streamType !== 'text/event-stream');

test.each(textual)('$protocol: an event that is not JSON is ignored', async (script) => {
  const steps = [start, text('Hel'), { type: 'malformed' }, text('lo'), finish, end] as const;
  const seen = await protocols.read(script, script.stream(steps));
  expect(seen.error).toBeUndefined();
  expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: 'stop' });
});

test.each(textual)('$protocol: lines that are not fields of an event are ignored', async (script) => {
  const junk = Buffer.from('junk\n\nretry: soon\n\n: a comment\n\n\n\nid: 7\n\nname: value\n\n');
  const frames = script.stream([start, text('Hel'), text('lo'), finish, end]);
  const seen = await protocols.read(
    script,
    frames.flatMap((frame) => [junk, frame]),
  );
  expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: 'stop' });
});

test.each(textual)('$protocol: a stream of another text format is an invalid answer', async (script) => {
  const response = await protocols.replay(script, [Buffer.from('<html><body>Bad gateway</body></html>')]);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { type: 'api_error' } });
});

test.each(binary)('$protocol: a damaged message ends the answer with an error', async (script) => {
  const steps = [start, text('Hel'), { type: 'malformed' }, text('lo'), finish, end] as const;
  const seen = await protocols.read(script, script.stream(steps));
  expect(seen.error?.code).toBe('provider_invalid_answer');
  expect(seen.choices.get(0)?.content).toBe('Hel');
});
