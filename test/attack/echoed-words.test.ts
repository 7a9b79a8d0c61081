/**
 * A caller's own words in a provider's 400 change nothing: it stays a 400, no fallback is asked, and the target counts as
 * healthy. The words are every phrase by which a reader of failures knows something else.
 */
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { bedrockInvoke } from '../../lib/protocols/bedrock-invoke/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { openaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import { readVoyageFailure } from '../../lib/protocols/openai-embeddings.ts';
import { openaiImages } from '../../lib/protocols/openai-images/protocol.ts';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { examplesOf } from '../harness/patterns/examples.ts';
import { findPatterns } from '../harness/patterns/find-patterns.ts';
import { hello, type ProtocolScript, protocolScripts } from '../harness/protocol-scripts.ts';
import { openaiScript } from '../harness/protocols/openai.ts';
import { openaiResponsesScript } from '../harness/protocols/openai-responses.ts';
import { answerJson } from '../harness/upstream.ts';

const protocols = useProtocolGateway();

const readers = /failure\.ts|without-rejected|count-tokens|cached-content/;

/** Every phrase in the patterns of the readers; shorter ones are no sentence. */
const phrases = [
  ...new Set(
    ['lib/protocols', 'lib/providers', 'lib/operations', 'lib/pipeline']
      .flatMap(findPatterns)
      .filter(({ place }) => readers.test(place))
      .flatMap(({ source, flags }) => examplesOf(source, flags))
      .map((phrase) => phrase.trim())
      .filter((phrase) => phrase.length >= 8 && /^[\w .'/-]+$/.test(phrase)),
  ),
];

/** How providers repeat what they were sent. */
const echoes: readonly ((words: string) => string)[] = [
  (words) => `Unknown parameter: '${words}'.`,
  (words) => `\`${words}\` is not a field of this API.`,
  (words) => `Invalid JSON payload received. Unknown name "${words}" at 'x': Cannot find field.`,
  (words) => `Bad value: {"${words}": 1}`,
  (words) => `${words}: Extra inputs are not permitted`,
  (words) => `Malformed input request: #: extraneous key [${words}] is not permitted`,
  (words) => `Invalid value: '${words}'. Supported values are: 'a' and '${words}'.`,
];

type WriteError = (message: string) => object;

const openaiError: WriteError = (message) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
});
const errors: Readonly<Record<string, WriteError>> = {
  openai: openaiError,
  anthropic: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  google: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  bedrock: (message) => ({ message }),
  cohere: (message) => ({ id: 'one', message }),
};

test('the phrases of the readers are found', () => {
  expect(phrases).toEqual(
    expect.arrayContaining([
      'your credit balance',
      'api key not valid',
      'prompt is too long',
      'invalid api token',
    ]),
  );
});

/** As a router passes on what the host behind it answered. */
const quotedError: WriteError = (message) => ({
  error: { message: 'Provider returned error', metadata: { raw: JSON.stringify(openaiError(message)) } },
});

interface Row {
  readonly name: string;
  readonly path: string;
  readonly script: ProtocolScript;
  readonly write: WriteError;
}

const chat = '/v1/chat/completions';
const rows: readonly Row[] = [
  ...protocolScripts.map((script) => ({
    name: script.protocol,
    path: chat,
    script,
    write: errors[script.protocol] ?? openaiError,
  })),
  { name: 'a router', path: chat, script: openaiScript, write: quotedError },
  { name: 'responses', path: '/v1/responses', script: openaiResponsesScript, write: openaiError },
];
const other = 'deepseek/deepseek-flash';

describe.each(rows)('$name', ({ path, script, write }) => {
  const start = rows.findIndex((row) => row.write === write);
  const extra = { fallbacks: [other], debug: ['routing'] };
  const ask = () => {
    const asked = path === chat ? { messages: [{ role: 'user', content: 'Hello.' }] } : { input: 'Hello.' };
    return protocols.gateway.post(path, { model: script.model, ...asked, extra });
  };

  test('has a bad request with some of the phrases', async () => {
    const some = phrases.filter((_, position) => position % 8 === 0);
    for (const [position, phrase] of some.entries()) {
      const message = echoes[(position + start) % echoes.length]?.(phrase) ?? phrase;
      protocols.upstream.script(answerJson(write(message), 400));
      const response = await ask();
      const { error } = (await response.json()) as { error: { type: string; code: string | null } };
      expect([message, response.status, error.type, error.code]).toEqual([
        message,
        400,
        'invalid_request_error',
        null,
      ]);
      expect(protocols.upstream.requests).toHaveLength(1);
    }
  });

  test('is asked first afterwards, as before', async () => {
    protocols.upstream.script(answerJson(script.body(hello)));
    const answer = (await (await ask()).json()) as { debug: { routing: object[] } };
    expect(answer.debug.routing).toMatchObject([{ status: 'succeeded', model: script.model }]);
  });
});

test.each([
  ['OpenAI', openaiChat.readFailure, openaiError],
  ['a router', openaiChat.readFailure, quotedError],
  ['Anthropic', anthropicMessages.readFailure, errors.anthropic ?? openaiError],
  ['Google', googleGenerateContent.readFailure, errors.google ?? openaiError],
  ['Bedrock', bedrockConverse.readFailure, errors.bedrock ?? openaiError],
  ['Claude at Bedrock', bedrockInvoke.readFailure, errors.bedrock ?? openaiError],
  ['Cohere', cohereChat.readFailure, errors.cohere ?? openaiError],
  ['Voyage', readVoyageFailure, (message: string) => ({ detail: message })],
  ['images', openaiImages.readFailure, openaiError],
] as const)('%s repeats each phrase in each way, and it stays a bad request', (_name, read, write) => {
  for (const message of phrases.flatMap((phrase) => echoes.map((echo) => echo(phrase)))) {
    const { kind } = read({ status: 400, headers: {}, body: JSON.stringify(write(message)) });
    expect([message, kind]).toEqual([message, 'upstream_bad_request']);
  }
});
