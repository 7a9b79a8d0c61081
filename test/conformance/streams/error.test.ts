/** A provider that reports a failure inside an answer with status 200. */
import { expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { protocolScripts, protocolsAndForms, start, text } from '../../harness/protocol-scripts.ts';
import { answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();

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
    const response = await protocols.replay(script, script.stream([start, text('Half'), { type: 'error' }]));
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
