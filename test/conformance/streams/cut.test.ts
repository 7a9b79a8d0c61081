/** A provider's stream that breaks off is never returned as a success. */
import { describe, expect, test } from 'vitest';
import { type Piece, useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { finish, hello, protocolScripts, start, text } from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();

/** How a stream breaks off: it ends as if it were complete, or the connection is reset. */
const ends: readonly { how: string; tail: readonly Piece[] }[] = [
  { how: 'an early end', tail: [] },
  { how: 'a broken connection', tail: [50, 'cut'] },
];

describe.each(ends)('$how', ({ tail }) => {
  test.each(protocolScripts)(
    '$protocol: before the first token is an error, after a retry',
    async (script) => {
      const response = await protocols.replay(script, [...script.stream([start]), ...tail]);
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ error: { code: 'provider_stream_cut' } });
      expect(protocols.upstream.requests).toHaveLength(2);
    },
  );

  test.each(protocolScripts)(
    '$protocol: after the first token is one error event and nothing more',
    async (script) => {
      const seen = await protocols.read(script, [
        ...script.stream([start, text('Hel'), text('lo')]),
        ...tail,
      ]);
      expect(seen.error).toMatchObject({ code: 'provider_stream_cut', type: 'api_error' });
      expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: undefined });
      expect(protocols.upstream.requests).toHaveLength(1);
    },
  );
});

test.each(protocolScripts)(
  '$protocol: a finished answer without its end mark is complete or cut',
  async (script) => {
    const seen = await protocols.read(script, script.stream([start, text('Hello'), finish]));
    expect(seen.error === undefined).toBe(script.endsWithFinish);
    expect(seen.choices.get(0)?.finish).toBe(script.endsWithFinish ? 'stop' : undefined);
  },
);

test.each(protocolScripts)(
  '$protocol: wherever it breaks off, an answer returned as complete is complete',
  async (script) => {
    const frames = script.stream(hello);
    const first = frames.findIndex((frame) => Buffer.from(frame).includes('Hel'));
    for (let count = first + 1; count <= frames.length; count++) {
      const seen = await protocols.read(script, frames.slice(0, count));
      const { content, finish: reason } = seen.choices.get(0) ?? {};
      if (seen.error === undefined) expect([content, reason]).toEqual(['Hello', 'stop']);
      else expect(reason).toBeUndefined();
    }
  },
);

test.each(protocolScripts)('$protocol: a stream that ends inside an event is cut', async (script) => {
  const bytes = Buffer.concat(script.stream([start, text('Hel'), text('lo')]));
  const seen = await protocols.read(script, [bytes.subarray(0, bytes.lastIndexOf('"lo"') + 2)]);
  expect(seen.error?.code).toBe('provider_stream_cut');
  expect(seen.choices.get(0)?.content).toBe('Hel');
});
