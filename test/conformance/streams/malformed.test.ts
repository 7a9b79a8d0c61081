/** Malformed frames: invalid lines between valid ones are ignored, damaged bytes end the answer. */
import { expect, test } from 'vitest';
import { useWires } from '../../harness/gateways/wire-gateway.ts';
import { end, finish, start, text, wireScripts } from '../../harness/wire-scripts.ts';

const wires = useWires();
const textual = wireScripts.filter(({ streamType }) => streamType === 'text/event-stream');
const binary = wireScripts.filter(({ streamType }) => streamType !== 'text/event-stream');

test.each(textual)('$wire: an event that is not JSON is ignored', async (script) => {
  const steps = [start, text('Hel'), { type: 'malformed' }, text('lo'), finish, end] as const;
  const seen = await wires.read(script, script.stream(steps));
  expect(seen.error).toBeUndefined();
  expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: 'stop' });
});

test.each(textual)('$wire: lines that are not fields of an event are ignored', async (script) => {
  const junk = Buffer.from('junk\n\nretry: soon\n\n: a comment\n\n\n\nid: 7\n\nname: value\n\n');
  const frames = script.stream([start, text('Hel'), text('lo'), finish, end]);
  const seen = await wires.read(
    script,
    frames.flatMap((frame) => [junk, frame]),
  );
  expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: 'stop' });
});

test.each(textual)('$wire: a stream of another text format is an invalid answer', async (script) => {
  const response = await wires.play(script, [Buffer.from('<html><body>Bad gateway</body></html>')]);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { type: 'api_error' } });
});

test.each(binary)('$wire: a damaged message ends the answer with an error', async (script) => {
  const steps = [start, text('Hel'), { type: 'malformed' }, text('lo'), finish, end] as const;
  const seen = await wires.read(script, script.stream(steps));
  expect(seen.error?.code).toBe('provider_invalid_answer');
  expect(seen.choices.get(0)?.content).toBe('Hel');
});
