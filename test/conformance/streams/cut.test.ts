/** A provider's stream that breaks off is never returned as a success. */
import { describe, expect, test } from 'vitest';
import { type Piece, useWires } from '../../harness/gateways/wire-gateway.ts';
import { finish, hello, start, text, wireScripts } from '../../harness/wire-scripts.ts';

const wires = useWires();

/** How a stream breaks off: it ends as if it were complete, or the connection is reset. */
const ends: readonly { how: string; tail: readonly Piece[] }[] = [
  { how: 'an early end', tail: [] },
  { how: 'a broken connection', tail: [50, 'cut'] },
];

describe.each(ends)('$how', ({ tail }) => {
  test.each(wireScripts)('$wire: before the first token is an error, after a retry', async (script) => {
    const response = await wires.play(script, [...script.stream([start]), ...tail]);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: 'provider_stream_cut' } });
    expect(wires.upstream.requests).toHaveLength(2);
  });

  test.each(wireScripts)(
    '$wire: after the first token is one error event and nothing more',
    async (script) => {
      const seen = await wires.read(script, [...script.stream([start, text('Hel'), text('lo')]), ...tail]);
      expect(seen.error).toMatchObject({ code: 'provider_stream_cut', type: 'api_error' });
      expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: undefined });
      expect(wires.upstream.requests).toHaveLength(1);
    },
  );
});

test.each(wireScripts)('$wire: a finished answer without its end mark is complete or cut', async (script) => {
  const seen = await wires.read(script, script.stream([start, text('Hello'), finish]));
  expect(seen.error === undefined).toBe(script.endsWithFinish);
  expect(seen.choices.get(0)?.finish).toBe(script.endsWithFinish ? 'stop' : undefined);
});

test.each(wireScripts)(
  '$wire: wherever it breaks off, an answer returned as complete is complete',
  async (script) => {
    const frames = script.stream(hello);
    const first = frames.findIndex((frame) => Buffer.from(frame).includes('Hel'));
    for (let count = first + 1; count <= frames.length; count++) {
      const seen = await wires.read(script, frames.slice(0, count));
      const { content, finish: reason } = seen.choices.get(0) ?? {};
      if (seen.error === undefined) expect([content, reason]).toEqual(['Hello', 'stop']);
      else expect(reason).toBeUndefined();
    }
  },
);

test.each(wireScripts)('$wire: a stream that ends inside an event is cut', async (script) => {
  const bytes = Buffer.concat(script.stream([start, text('Hel'), text('lo')]));
  const seen = await wires.read(script, [bytes.subarray(0, bytes.lastIndexOf('"lo"') + 2)]);
  expect(seen.error?.code).toBe('provider_stream_cut');
  expect(seen.choices.get(0)?.content).toBe('Hel');
});
