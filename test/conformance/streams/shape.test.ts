/** Unusual but valid streams give the same answer. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  end,
  finish,
  hello,
  ping,
  protocolScripts,
  protocolsAndForms,
  reasoning,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();
const answer = { content: 'Hello', finish: 'stop' };

const odd: readonly { what: string; steps: readonly Step[] }[] = [
  {
    what: 'empty chunks',
    steps: [start, text(''), text('Hel'), text(''), reasoning(''), text('lo'), text(''), finish, end],
  },
  {
    what: 'keep-alives',
    steps: [ping, start, ping, text('Hel'), ping, ping, text('lo'), ping, finish, ping, end, ping],
  },
  { what: 'a repeated finish', steps: [start, text('Hello'), finish, finish, end] },
  { what: 'two end marks', steps: [...hello, end] },
];

describe.each(odd)('$what', ({ steps }) => {
  test.each(protocolScripts)('$protocol', async (script) => {
    const seen = await protocols.read(script, script.stream(steps), {
      stream_options: { include_usage: true },
    });
    expect(seen.error).toBeUndefined();
    expect(seen.choices.get(0)).toMatchObject(answer);
    expect(seen.usage).toMatchObject({ total_tokens: 10 });
  });
});

test.each(protocolsAndForms)('$protocol, $form: an answer without content is empty', async (row) => {
  const message = await protocols.message(row, [start, finish, end]);
  expect(message).toMatchObject({ content: '', finish: 'stop', calls: [] });
});

test.each(protocolsAndForms)('$protocol, $form: an answer at its length limit says so', async (row) => {
  const steps: Step[] = [start, text('Once'), { type: 'finish', reason: 'length' }, end];
  expect(await protocols.message(row, steps)).toMatchObject({ content: 'Once', finish: 'length' });
});

test.each(protocolsAndForms)('$protocol, $form: reasoning is separate from the answer', async (row) => {
  const steps = [start, reasoning('Think'), reasoning('ing.'), text('Hel'), text('lo'), finish, end];
  expect(await protocols.message(row, steps)).toMatchObject({ ...answer, reasoning: 'Thinking.' });
});

test.each(protocolScripts)('$protocol: events after the end mark are ignored', async (script) => {
  const seen = await protocols.read(script, script.stream([...hello, text('more'), finish, end]));
  expect(seen.error).toBeUndefined();
  expect(seen.choices.get(0)?.finish).toBe('stop');
  expect(seen.choices.size).toBe(1);
});

test.each(protocolScripts)(
  '$protocol: a body instead of a stream is returned as a stream',
  async (script) => {
    protocols.upstream.script((_request, response) => {
      const body = JSON.stringify(script.body(hello));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const response = await protocols.ask(script, { stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(readChatStream(await response.text()).choices.get(0)).toMatchObject(answer);
  },
);
