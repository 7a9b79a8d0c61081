/** Documents in every protocol: an invalid one is an error with its path, and names on Bedrock. What each provider gets is in conformance/documents.test.ts. */
import { describe, expect, test } from 'vitest';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type { FilePart, JsonObject, Message } from '../../lib/core/generation/request.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { errorOf } from './answer.ts';
import { assistant, newRequest, newTarget, text, user } from './requests.ts';

const pdf = btoa('%PDF-1.7 and more');

const file = (url: string, filename?: string): FilePart => ({
  type: 'file',
  url,
  ...(filename !== undefined && { filename }),
});
const shown = (...parts: readonly FilePart[]): Message => ({
  role: 'user',
  content: [...text('Read this.'), ...parts],
});
const bytes = (filename?: string) => file(`data:application/octet-stream;base64,${pdf}`, filename);

function encode(protocol: GenerationProtocol, messages: readonly Message[]): JsonObject {
  return protocol.encode(newRequest(messages), newTarget());
}

describe.each([
  ['Anthropic', anthropicMessages],
  ['Gemini', googleGenerateContent],
  ['Bedrock', bedrockConverse],
  ['Cohere', cohereChat],
])('over %s', (_, protocol) => {
  test.each(['data:application/pdf;base64,aGVsbG8=', 'data:application/pdf,%PDF-', 'data:'])(
    'an invalid document is rejected with its path: %s',
    (url) => {
      const messages = [user('Hi'), assistant('Hello'), shown(file(url))];
      expect(errorOf(() => encode(protocol, messages))).toMatchObject({
        kind: 'invalid_request',
        param: 'messages.2.content.1.file.file_data',
        message: 'The data URL does not contain a base64-encoded PDF document.',
      });
    },
  );
});

describe('document names on Bedrock', () => {
  const namesOf = (...messages: readonly Message[]) =>
    [...JSON.stringify(encode(bedrockConverse, messages)).matchAll(/"name":"([^"]*)"/g)].map(
      ([, name]) => name,
    );

  test.each([
    ['Annual report (2026).pdf', 'Annual report (2026)'],
    ['../été_№5!!.pdf', 't 5'],
    ['…', 'document'],
    ['', 'document'],
    [undefined, 'document'],
    [`${'a'.repeat(179)} and more.pdf`, 'a'.repeat(179)],
  ])('%j becomes %j', (filename, expected) => {
    expect(namesOf(shown(bytes(filename)))).toStrictEqual([expected]);
  });

  test('are unique, and do not change when the conversation grows', () => {
    const first = [shown(bytes('a.pdf'), bytes('a.pdf')), assistant('Yes?')];
    const names = ['a', 'a (2)'];
    expect(namesOf(...first)).toStrictEqual(names);
    expect(namesOf(...first, shown(bytes('a (2).pdf'), bytes()))).toStrictEqual([
      ...names,
      'a (2) (2)',
      'document',
    ]);
  });
});
