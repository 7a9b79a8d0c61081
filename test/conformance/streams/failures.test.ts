/** Streams that break off or report a failure, in every protocol: none is a success. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { answerPieces, type Piece, useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  end,
  finish,
  hello,
  type ProtocolScript,
  protocolScripts,
  protocolsAndForms,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();

describe("a provider's stream that breaks off is never returned as a success", () => {
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
});

describe('an end mark alone is no answer: the target has failed, and another is asked', () => {
  const fallbackOf = ({ protocol }: ProtocolScript) =>
    protocolScripts.find((other) => other.protocol !== protocol) as ProtocolScript;

  const heads = [
    { head: 'nothing', steps: [] },
    { head: 'only a start', steps: [start] },
  ] as const;

  test.each(
    heads.flatMap(({ head, steps }) => protocolScripts.map((script) => ({ head, steps, script, ...script }))),
  )('$protocol: an end after $head falls back', async ({ steps, script }) => {
    const fallback = fallbackOf(script);
    const broken = answerPieces(script.stream([...steps, end]), script.streamType);
    const well = answerPieces(fallback.stream(hello), fallback.streamType);
    protocols.upstream.script((request, response) =>
      (protocols.upstream.requests.length > 2 ? well : broken)(request, response),
    );
    const extra = { fallbacks: [fallback.model] };
    const response = await protocols.ask(script, { stream: true, extra });
    const seen = readChatStream(await response.text());
    expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: 'stop' });
    expect(protocols.upstream.requests).toHaveLength(3);
  });

  test.each(protocolScripts)(
    '$protocol: an end without a reason, after text, is an error',
    async (script) => {
      const seen = await protocols.read(script, script.stream([start, text('Hel'), end]));
      expect(seen.error?.code).toBe('provider_stream_cut');
      expect(seen.choices.get(0)).toMatchObject({ content: 'Hel', finish: undefined });
    },
  );
});

describe('a provider that reports a failure inside an answer with status 200', () => {
  const message = expect.stringMatching(/^Provider '[\w-]+' /);
  const shape = { message, type: 'api_error', param: null, code: expect.any(String) };

  test.each(protocolScripts)(
    '$protocol: before the first token the caller gets an error status',
    async (script) => {
      const response = await protocols.replay(script, script.stream([start, { type: 'error' }]));
      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual({ error: shape });
    },
  );

  test.each(protocolScripts)(
    '$protocol: after the first token the stream ends with the error',
    async (script) => {
      const response = await protocols.replay(
        script,
        script.stream([start, text('Half'), { type: 'error' }]),
      );
      expect(response.status).toBe(200);
      const seen = readChatStream(await response.text());
      expect(seen.error).toEqual(shape);
      expect(seen.choices.get(0)).toMatchObject({ content: 'Half', finish: undefined });
    },
  );

  test.each(protocolScripts)('$protocol: events after the error are ignored', async (script) => {
    const after = [
      { type: 'error' },
      text('more'),
      { type: 'finish', reason: 'stop' },
      { type: 'end' },
    ] as const;
    const seen = await protocols.read(script, script.stream([start, text('Half'), ...after]));
    expect(seen.error).toEqual(shape);
    expect(seen.choices.get(0)?.content).toBe('Half');
  });

  test.each(protocolsAndForms)('$protocol, $form: an error instead of a body', async ({ script, stream }) => {
    protocols.upstream.script(answerJson(script.errorBody));
    const response = await protocols.ask(script, { stream });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: shape });
    expect(protocols.upstream.requests).toHaveLength(2);
  });

  test.each(protocolsAndForms)('$protocol, $form: a body that is not JSON', async ({ script, stream }) => {
    protocols.upstream.script((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>502</html>');
    });
    const response = await protocols.ask(script, { stream });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: 'provider_invalid_answer' } });
  });
});
