/** Requests that no gateway should serve, with the field that the refusal must name. `marker` is text that no log may hold. */
import { bombs } from './bombs.ts';

export interface HostileRequest {
  readonly name: string;
  readonly path: string;
  /** JSON text, or a compressed body. */
  readonly body: string | Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** What the message or the `param` must name: the field, and the limit where there is one. */
  readonly names: readonly RegExp[];
}

export const marker = 'unmistakable-words-of-a-caller';

const megabyte = 1024 * 1024;
const chat = '/v1/chat/completions';
const responses = '/v1/responses';
const embeddings = '/v1/embeddings';
const images = '/v1/images/generations';

const gpt = 'openai/gpt-5.4';
const gemini = 'google/gemini-3.1-pro-preview';

const hello = [{ role: 'user', content: marker }];

/** `count` copies of a JSON text, without building the values. */
const many = (count: number, json: string) => `[${Array.from({ length: count }, () => json).join(',')}]`;

const fields = (count: number, value: string) =>
  Array.from({ length: count }, (_, index) => `"${marker}${index}":${value}`).join(',');

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

function chatBody(others: string, model = gpt, messages = JSON.stringify(hello)): string {
  return `{"model":"${model}","messages":${messages},${others}}`;
}

const request = (
  name: string,
  path: string,
  body: HostileRequest['body'],
  names: readonly RegExp[],
  others: Partial<HostileRequest> = {},
): HostileRequest => ({ name, path, body, names, status: 400, ...others });

const image = (url: string) => ({ type: 'image_url', image_url: { url } });

const pictures = (count: number) =>
  JSON.stringify([
    {
      role: 'user',
      content: Array.from({ length: count }, (_, index) => image(`https://${marker}.example/${index}.png`)),
    },
  ]);

export const hostileRequests: readonly HostileRequest[] = [
  request('a model of 9 MB', chat, chatBody('"n":1', marker.repeat(300_000)), [/model/], { status: 404 }),
  request(
    'unknown fields inside a message',
    chat,
    chatBody('"n":1', gpt, `[{"role":"user","content":"a",${fields(100_000, '1')}}]`),
    [/messages|\d/],
  ),
  request(
    'a parameter nested 50,000 levels deep',
    chat,
    chatBody(`"tools":[{"type":"function","function":{"name":"t","parameters":${nested(50_000)}}}]`),
    [/\d|deep|level/],
  ),
  request('10,000 metadata pairs', chat, chatBody(`"metadata":{${fields(10_000, '"a"')}}`), [
    /metadata/,
    /\d/,
  ]),
  request('21 pictures by URL', chat, chatBody('"n":1', gemini, pictures(21)), [/messages/, /20/]),
  request('1,000 pictures by URL', chat, chatBody('"n":1', gemini, pictures(1_000)), [/messages/, /20/]),
  request('a wrong input of 9 MB', responses, `{"model":"${gpt}","input":${many(1_000_000, '1')}}`, [
    /500000 JSON values/,
  ]),
  request(
    'a previous_response_id of 1 MB',
    responses,
    `{"model":"${gpt}","input":"a","previous_response_id":"${'a'.repeat(megabyte)}"}`,
    [/previous_response_id|not found/i],
  ),
  request(
    'texts by the hundred thousand',
    embeddings,
    `{"model":"openai/text-embedding-3-small","input":${many(100_000, '"a"')}}`,
    [/input/, /\d/],
  ),
  request(
    '9 texts of 1 MB without blanks',
    embeddings,
    `{"model":"openai/text-embedding-3-small","input":${many(9, `"${'a'.repeat(megabyte - 100)}"`)}}`,
    [/input/, /\d/],
  ),
  request(
    'a prompt of 1 MB for a picture',
    images,
    `{"model":"openai/gpt-image-2","prompt":"${marker.repeat(35_000)}"}`,
    [/prompt/, /\d/],
  ),
  request('1,000 pictures', images, `{"model":"openai/gpt-image-2","prompt":"a","n":1000}`, [/n\b/, /\d/]),
  request('a body of 11 MB', chat, chatBody(`"user":"${'a'.repeat(11 * megabyte)}"`), [/10 MB/], {
    status: 413,
  }),
  ...Object.entries(bombs).map(([name, { coding, body }]) =>
    request(`a ${name} body of 200 MB`, chat, body, [/10 MB/], {
      status: 413,
      headers: { 'content-encoding': coding },
    }),
  ),
  request('nine tags', chat, chatBody('"n":1'), [/x-gateway-tags/, /8/], {
    headers: { 'x-gateway-tags': Array.from({ length: 9 }, (_, index) => `k${index}=v`).join(',') },
  }),
];
