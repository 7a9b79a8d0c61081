/** Forms in memory: what a JSON body would have, with its files; what is wrong names its field. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Call, Endpoint } from '../../../lib/core/endpoint.ts';
import type { HeldFile, HeldForm } from '../../../lib/core/held-form.ts';
import { newApiKey } from '../../../lib/core/names/api-key.ts';
import { type Operation, operationNamed } from '../../../lib/core/operations.ts';
import { readHeldForm } from '../../../lib/http/form/read-held-form.ts';
import { requestOf } from '../../../lib/http/lambda/event.ts';
import { hostOf } from '../../../lib/http/lambda/host.ts';
import type { HttpRequest } from '../../../lib/http/request/http-request.ts';
import { serve } from '../../../lib/http/serve.ts';
import { withoutBoundary } from '../../../lib/http/served/keep-answer.ts';
import { heldFiles } from '../../../lib/operations/held-files.ts';
import { formBody } from '../../../lib/transport/multipart.ts';
import { type GatewayServer, startServer } from '../../../server/http/server.ts';
import { loadInProcessEngine } from '../../../server/in-process.ts';
import { boundary, type FormPart, formBytes, formType } from '../../harness/form.ts';
import { requestEvent } from '../../harness/lambda/event.ts';

const form: HeldForm = {
  files: { file: 1, image: 3 },
  values: { n: 'number', stream: 'flag', words: 'list', extra: 'object' },
  longTexts: { references: 300_000 },
};

const typed =
  (type: string | undefined): HttpRequest['header'] =>
  (name) =>
    name === 'content-type' ? type : undefined;

const request = (body: Buffer, header = typed(formType)): HttpRequest => ({
  method: 'POST',
  path: '/',
  template: '/',
  pathParameters: {},
  query: {},
  header,
  headerValues: () => [],
  body,
  sourceIp: '',
});

const read = (...parts: readonly FormPart[]) => readHeldForm(request(formBytes(...parts)), form);

const field = (name: string, value: string): FormPart => ({ name, value });
const file: FormPart = { name: 'file', filename: 'a.mp3', value: 'ID3' };

const bytesOf = (value: unknown): Buffer[] => (value as HeldFile[]).map(({ bytes }) => Buffer.from(bytes));

describe('a form', () => {
  test('is read as JSON would be', async () => {
    const { file: files, ...fields } = await read(
      file,
      field('model', 'm'),
      field('n', '2'),
      field('stream', 'true'),
      field('words', 'a'),
      field('words[]', 'b'),
      field('words[7]', '3'),
      field('extra[fallbacks][]', 'x'),
      field('extra[fallbacks][]', 'y'),
      field('extra[dry_run]', 'true'),
      field('extra[ms]', '300'),
      field('prompt', '{"not": "read"}'),
      field('größe', '👍'),
    );
    expect(fields).toEqual({
      model: 'm',
      n: 2,
      stream: true,
      words: ['a', 'b', '3'],
      extra: { fallbacks: ['x', 'y'], dry_run: true, ms: 300 },
      prompt: '{"not": "read"}',
      größe: '👍',
    });
    expect(files).toMatchObject([{ filename: 'a.mp3', type: 'text/plain' }]);
    expect(bytesOf(files)).toEqual([Buffer.from('ID3')]);
  });

  test('has objects as JSON, too, and leaves to the schema what is of no type', async () => {
    expect(
      await read(field('extra', '{"a":[1]}'), field('n', 'two'), field('stream', 'yes'), field('words', '')),
    ).toEqual({ extra: { a: [1] }, n: 'two', stream: 'yes', words: [''] });
    expect(await read(field('extra', 'auto'))).toEqual({ extra: 'auto' });
  });

  test('has files in their order, with and without brackets', async () => {
    const { image } = await read(
      { name: 'image[]', filename: '1', value: 'one' },
      { name: 'image', filename: '2', value: 'two' },
      { name: 'image[1]', filename: '3', value: 'three' },
    );
    expect(bytesOf(image).map(String)).toEqual(['one', 'two', 'three']);
  });

  test('has the name of a file in any letters, and a value with the boundary in it', async () => {
    const body = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''gr%C3%B6%C3%9Fe.mp3\r\nContent-Type: audio/mpeg\r\n\r\n`,
      ),
      Buffer.from(`x--${boundary}\n\r\n-${boundary}\r\n--${boundary}--\r\n`),
    ]);
    const { file: files } = await readHeldForm(request(body), form);
    expect(files).toMatchObject([{ filename: 'größe.mp3', type: 'audio/mpeg' }]);
    expect(bytesOf(files).map(String)).toEqual([`x--${boundary}\n\r\n-${boundary}`]);
  });

  test.each<[string, object, readonly FormPart[]]>([
    ['a text for a file', { param: 'file' }, [field('file', 'https://example.com/a.mp3')]],
    ['a file for a text', { param: 'model' }, [{ ...file, name: 'model' }]],
    ['two files for one', { param: 'file' }, [file, file]],
    ['too many files', { param: 'image' }, Array<FormPart>(4).fill({ ...file, name: 'image' })],
    ['an empty file', { param: 'file' }, [{ ...file, value: '' }]],
    ['a field twice', { param: 'model' }, [field('model', 'a'), field('model', 'b')]],
    ['a field in two ways', { param: 'extra' }, [field('extra', 'a'), field('extra[b]', 'c')]],
    ['a list that is an object', { param: 'words' }, [field('words[]', 'a'), field('words[b]', 'c')]],
    ['open brackets', { param: 'words[' }, [field('words[', 'a')]],
    ['deep brackets', { param: 'a' }, [field('a[b][c][d][e][f][g]', 'a')]],
    ['a prototype', {}, [field('extra[__proto__][a]', 'a')]],
    ['a prototype in JSON', {}, [field('extra', '{"__proto__":{"a":1}}')]],
    ['a long name', {}, [field('x'.repeat(65), 'a')]],
    ['no name', {}, [{ value: 'a' }]],
    ['a long text', { param: 'prompt' }, [field('prompt', 'x'.repeat(131_073))]],
    [
      'a text longer than its own limit',
      { param: 'references' },
      [field('references[]', 'x'.repeat(300_001))],
    ],
    ['many parts', {}, Array.from({ length: 65 }, (_, at) => field(`f${at}`, 'a'))],
  ])('with %s is refused', async (_, expected, parts) => {
    await expect(read(...parts)).rejects.toMatchObject({ status: 400, ...expected });
  });

  test('that is cut, or has no valid boundary, is refused', async () => {
    const whole = formBytes(file, field('model', 'm'));
    for (const body of [whole.subarray(0, 110), whole.subarray(0, -4), Buffer.alloc(0)])
      await expect(readHeldForm(request(body), form)).rejects.toMatchObject({ status: 400 });
    const other = typed('multipart/form-data; boundary=other');
    await expect(readHeldForm(request(whole, other), form)).rejects.toMatchObject({ status: 400 });
    await expect(readHeldForm(request(whole, typed('text/plain')), form)).rejects.toMatchObject({
      status: 415,
    });
    const compressed: HttpRequest['header'] = (name) => (name === 'content-type' ? formType : 'gzip');
    await expect(readHeldForm(request(whole, compressed), form)).rejects.toMatchObject({ status: 415 });
  });

  test('is sent as it is read', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => value.isWellFormed());
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 500 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(text, { minLength: 1, maxLength: 4 }),
        bytes,
        async (prompt, words, value) => {
          const fields = { prompt, words, stream: false, n: 0.5, extra: { a: 1 } };
          const sent = formBody(fields, [
            { name: 'image[]', filename: 'a "b"\r\n.png', type: 'image/png', bytes: value },
          ]);
          const body = Buffer.concat([...sent.body.pieces()].map((piece) => Buffer.from(piece)));
          expect(body.length).toBe(sent.body.byteLength);
          const { image, ...others } = await readHeldForm(
            request(body, typed(sent.headers['content-type'])),
            form,
          );
          expect(others).toEqual(fields);
          expect(bytesOf(image)).toEqual([Buffer.from(value)]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('with one content is one body, whatever its boundary', () => {
    const [one, other] = [0, 1].map(() => formBody({ a: 1 }, []));
    const bare = [one, other].map((sent) =>
      withoutBoundary(
        typed(sent?.headers['content-type']),
        Buffer.concat([...(sent?.body.pieces() ?? [])].map((piece) => Buffer.from(piece))),
      ),
    );
    expect(bare[0]).toEqual(bare[1]);
  });
});

describe('a form that arrives', () => {
  const key = newApiKey();
  const operation: Operation = { ...operationNamed('audio-speech'), maxFormBytes: 200_000 };
  const schema = z.strictObject({
    model: z.string(),
    n: z.optional(z.number()),
    file: z.optional(heldFiles),
  });
  const endpoint: Endpoint<typeof schema, z.output<typeof schema>> = {
    schema,
    heldForm: form,
    read: (body) => body,
    async answer({ input: { file: files = [], ...others } }: Call<z.output<typeof schema>>) {
      const hash = createHash('sha256');
      for (const { bytes } of files) hash.update(bytes);
      return { type: 'json', body: { ...others, hash: hash.digest('hex') } };
    },
  };
  const handler = serve(operation, endpoint, {
    findApiKey: async () => ({ id: 'key', hash: 'hash', tenant: 'acme' }),
    log: { info() {}, warn() {}, error() {} },
    now: Date.now,
    readHeldForm,
  });
  const every = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, at) => (at * 7 + (at >> 8)) % 256));
  const body = formBytes(field('model', 'm'), field('n', '2'), { ...file, value: every });
  const expected = { model: 'm', n: 2, hash: createHash('sha256').update(every).digest('hex') };

  let server: GatewayServer;
  beforeAll(async () => {
    const invoke = await loadInProcessEngine([operation], async () => handler);
    server = await startServer({ operations: [operation], invoke, port: 0 });
  });
  afterAll(() => server.close());

  const send = async (sent: Buffer | string, type: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const response = await fetch(`${server.url}${operation.path}`, { method: 'POST', headers, body: sent });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('at a server is whole, with every value of a byte', async () => {
    expect(await send(body, formType)).toEqual({ status: 200, body: expected });
  });

  test('as an event in base64 is, too', async () => {
    const event = {
      ...requestEvent({ resource: operation.path, method: 'POST', bearer: key }),
      isBase64Encoded: true,
      body: body.toString('base64'),
    };
    event.headers['content-type'] = formType;
    const context = { awsRequestId: 'r', memoryLimitInMB: '256', getRemainingTimeInMillis: () => 60_000 };
    const answer = await handler(requestOf(event as never), hostOf(context as never, event.body.length));
    expect(JSON.parse(answer.body as string)).toEqual(expected);
  });

  test('may be JSON in its place, and nothing else', async () => {
    expect(await send('{"model":"m"}', 'application/json')).toMatchObject({
      status: 200,
      body: { model: 'm' },
    });
    expect(await send('{"model":"m","file":[{"bytes":[1]}]}', 'application/json')).toMatchObject({
      status: 400,
      body: { error: { param: 'file.0' } },
    });
    expect(await send('model=m', 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 });
  });

  test('is refused over the limit of its operation, with what to do', async () => {
    const refused = await send(formBytes({ ...file, value: Buffer.alloc(200_000) }), formType);
    expect(refused).toMatchObject({ status: 413, body: { error: { code: 'request_too_large' } } });
    expect(JSON.stringify(refused.body)).toMatch(/4\.5 MB.*URLs in place of/);
  });

  test('without its fields names the first that is missing', async () => {
    expect(await send(formBytes(file), formType)).toMatchObject({
      status: 400,
      body: { error: { param: 'model' } },
    });
  });
});
