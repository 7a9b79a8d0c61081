/** A provider's error shows nothing of the key that the gateway sent, in whatever form and wherever it repeats it. */
import { expect, test } from 'vitest';
import { captureLog } from '../harness/captured-log.ts';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { protocolScripts } from '../harness/protocol-scripts.ts';
import { openaiScript } from '../harness/protocols/openai.ts';
import { answerEvents, answerJson } from '../harness/upstream.ts';

/** Of no form that a pattern knows: only words. */
const key = 'Plain words/keyed+with no digits at all';
const protocols = useProtocolGateway(
  Object.fromEntries(protocolScripts.map(({ protocol }) => [`${protocol.toUpperCase()}_API_KEY`, key])),
);

const forms: Readonly<Record<string, string>> = {
  'as it is': key,
  'in a URL': encodeURIComponent(key),
  'in Base64': Buffer.from(key).toString('base64'),
  'in Base64, after a name': Buffer.from(`user:${key}`).toString('base64'),
  'in Base64, after a longer name': Buffer.from(`users:${key}`).toString('base64'),
  'in Base64 for URLs': Buffer.from(`a:${key}`).toString('base64url'),
  'its first part': key.slice(0, 20),
  'its last part': key.slice(-20),
};

/** Every piece of a form that says something about the key. */
const pieces = Object.values(forms).flatMap((form) =>
  Array.from({ length: Math.max(form.length - 16, 0) }, (_, at) => form.slice(at + 2, at + 14)),
);
const shows = (text: string) => pieces.filter((piece) => text.includes(piece));

const places: Readonly<Record<string, (text: string) => object>> = {
  message: (text) => ({ message: `The header ${text} is unknown`, param: null, code: null }),
  'message, near its end': (text) => ({ message: `${'word '.repeat(94)}${text}`, param: null, code: null }),
  param: (text) => ({ message: 'No.', param: text, code: null }),
  code: (text) => ({ message: 'No.', param: null, code: text }),
};
const rows = Object.entries(forms).flatMap(([form, text]) =>
  Object.entries(places).map(([place, write]) => ({ form, place, error: write(text) })),
);

test.each(rows)('$form, in the $place', async ({ error }) => {
  protocols.upstream.script(answerJson({ error }, 400));
  const response = await protocols.ask(openaiScript);
  const text = await response.text();
  expect([response.status, shows(text)]).toEqual([400, []]);
});

test.each(protocolScripts)(
  '$protocol, which gets it, and whose refusal is not in the log either',
  async (script) => {
    const log = captureLog();
    const message = `Refused: ${key}`;
    const body = { type: 'error', message, error: { type: 'invalid_request_error', message, code: 400 } };
    protocols.upstream.script(answerJson(body, 400));
    const text = await (await protocols.ask(script)).text();
    log.close();
    expect(JSON.stringify(protocols.upstream.requests[0]?.headers)).toContain(key);
    expect(text).toContain('[removed]');
    expect(log.lines).not.toEqual([]);
    expect(shows(text + log.lines.join())).toEqual([]);
  },
);

test('inside a stream that has begun', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'One' } }] };
  const error = { message: `Refused: ${key}`, type: 'invalid_request_error', code: 'invalid_value' };
  protocols.upstream.script(answerEvents([chunk, { error }]));
  const text = await (await protocols.ask(openaiScript, { stream: true })).text();
  expect(text).toContain('[removed]');
  expect(shows(text)).toEqual([]);
});

test('a word that is only a short part of a key stays', async () => {
  protocols.upstream.script(answerJson({ error: { message: 'Plain words are not accepted.' } }, 400));
  expect(await (await protocols.ask(openaiScript)).text()).toContain('Plain words are not accepted.');
});
