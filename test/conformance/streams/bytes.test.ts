/** Bytes of streams, in every protocol: their chunks do not matter, and what is malformed does no harm. */
import { describe, expect, test } from 'vitest';
import { type Piece, useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  argument,
  call,
  end,
  finish,
  protocolScripts,
  protocolsAndForms,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();

describe('the chunks in which an answer arrives do not change it', () => {
  const wide = 'é 漢字 👩‍👩‍👧 \u2028 \u0000 "\\n"';
  const steps: readonly Step[] = [
    start,
    text(wide),
    call(0, 'say'),
    argument(0, JSON.stringify({ words: wide })),
    { ...finish, reason: 'calls' },
    end,
  ];
  const said = {
    content: wide,
    calls: [{ name: 'say', arguments: JSON.stringify({ words: wide }) }],
    finish: 'tool_calls',
  };

  /** In the middle of a character. */
  const middleOf = (bytes: Buffer) => bytes.indexOf('👩') + 2;

  const ways: Readonly<Record<string, (bytes: Buffer) => readonly Piece[]>> = {
    'byte by byte': (bytes) => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
    'all at once': (bytes) => [bytes],
    'split inside a character, with a pause': (bytes) => [
      bytes.subarray(0, middleOf(bytes)),
      20,
      bytes.subarray(middleOf(bytes)),
    ],
  };

  describe.each(Object.entries(ways))('%s', (_, split) => {
    test.each(protocolScripts)('$protocol', async (script) => {
      const seen = await protocols.read(script, split(Buffer.concat(script.stream(steps))));
      expect(seen.choices.get(0)).toMatchObject(said);
    });
  });

  test.each(protocolsAndForms)(
    '$protocol, $form: one event of five megabytes',
    async ({ script, stream }) => {
      const large = 'wörds '.repeat(750_000);
      const all = [start, text(large), finish, end];
      if (stream) {
        const seen = await protocols.read(script, [Buffer.concat(script.stream(all))]);
        expect(seen.choices.get(0)?.content === large).toBe(true);
        return;
      }
      protocols.upstream.script(answerJson(script.body(all)));
      const { choices } = (await (await protocols.ask(script)).json()) as {
        choices: [{ message: { content: string } }];
      };
      expect(choices[0].message.content === large).toBe(true);
    },
  );
});

describe('malformed frames: invalid lines between valid ones are ignored, damaged bytes end the answer', () => {
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
});
