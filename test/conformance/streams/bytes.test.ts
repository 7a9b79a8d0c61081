/** The chunks in which an answer arrives do not change it. */
import { expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
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

test.each(protocolScripts)('$protocol: byte by byte', async (script) => {
  const bytes = Buffer.concat(script.stream(steps));
  const seen = await protocols.read(
    script,
    Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
  );
  expect(seen.choices.get(0)).toMatchObject(said);
});

test.each(protocolScripts)('$protocol: all at once', async (script) => {
  const seen = await protocols.read(script, [Buffer.concat(script.stream(steps))]);
  expect(seen.choices.get(0)).toMatchObject(said);
});

test.each(protocolScripts)('$protocol: split inside a character, with a pause', async (script) => {
  const bytes = Buffer.concat(script.stream(steps));
  const middle = bytes.indexOf('👩') + 2;
  const seen = await protocols.read(script, [bytes.subarray(0, middle), 20, bytes.subarray(middle)]);
  expect(seen.choices.get(0)).toMatchObject(said);
});

test.each(protocolsAndForms)('$protocol, $form: one event of five megabytes', async ({ script, stream }) => {
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
});
