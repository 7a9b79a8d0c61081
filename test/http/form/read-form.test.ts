/** Forms with a file: whatever arrives, the file is stored as it was, or nothing of it is. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FileForm, ReceivedFile } from '../../../lib/core/endpoint.ts';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { FoundApiKey } from '../../../lib/core/ports/api-keys.ts';
import { readForm } from '../../../lib/http/form/read-form.ts';
import type { HttpRequest } from '../../../lib/http/request/http-request.ts';
import { boundary, type FormPart, formBytes, formType } from '../../harness/form.ts';

const key = { id: 'key', hash: 'hash', tenant: 'acme' } satisfies FoundApiKey;
const signal = new AbortController().signal;

/** What is stored, by its name. */
const stored = new Map<string, Buffer>();
let discarded: string[];

beforeEach(() => {
  stored.clear();
  discarded = [];
});

const form: FileForm = {
  field: 'file',
  maxBytes: 100_000,
  async store({ filename, bytes }) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    const all = Buffer.concat(chunks);
    stored.set(filename, all);
    return { filename, bytes: all.length, parts: [] };
  },
  async discard({ filename }: ReceivedFile) {
    discarded.push(filename);
  },
};

async function* pieces(bytes: Uint8Array, sizes: readonly number[], end?: Error): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  if (at < bytes.length) yield bytes.subarray(at);
  if (end) throw end;
}

function request(body: Uint8Array, sizes: readonly number[] = [], headers = {}, end?: Error): HttpRequest {
  const all: Record<string, string> = { 'content-type': formType, ...headers };
  return {
    method: 'POST',
    path: '/v1/files',
    template: '/v1/files',
    pathParameters: {},
    query: {},
    header: (name) => all[name],
    headerValues: () => [],
    body: '',
    arriving: pieces(body, sizes, end),
    sourceIp: '',
  };
}

const read = (given: HttpRequest, with_: FileForm = form) => readForm(given, with_, { key, signal });

const file: FormPart = { name: 'file', filename: 'a.jsonl', value: '{"a":1}\n' };
const purpose: FormPart = { name: 'purpose', value: 'batch' };

describe('a form', () => {
  test.each([
    ['the file first', [file, purpose]],
    ['the file last', [purpose, file]],
  ])('is read with %s', async (_, parts) => {
    const { fields, file: found } = await read(request(formBytes(...parts)));
    expect(fields).toEqual({ purpose: 'batch' });
    expect(found).toEqual({ filename: 'a.jsonl', bytes: 8, parts: [] });
    expect(stored.get('a.jsonl')?.toString()).toBe('{"a":1}\n');
  });

  test('is read from bytes that have arrived, too', async () => {
    const { arriving: _, ...whole } = request(formBytes(file, purpose));
    expect((await read({ ...whole, body: formBytes(file, purpose) })).fields).toEqual({ purpose: 'batch' });
  });

  test('has members of a field in brackets, and names in any letters', async () => {
    const { fields, file: found } = await read(
      request(
        formBytes(
          { ...file, filename: 'größe 📈.jsonl' },
          { name: 'expires_after[anchor]', value: 'created_at' },
          { name: 'expires_after[seconds]', value: '3600' },
        ),
      ),
    );
    expect(fields).toEqual({ expires_after: { anchor: 'created_at', seconds: '3600' } });
    expect(found.filename).toBe('größe 📈.jsonl');
  });

  test('may have an empty file', async () => {
    const { file: found } = await read(request(formBytes({ ...file, value: '' }, purpose)));
    expect(found.bytes).toBe(0);
  });

  test('is the same however its bytes are cut, and whatever they are', async () => {
    const alike = fc.constantFrom('\r\n', '--', `--${boundary}`, `\r\n--${boundary.slice(0, -1)}`, '\r', '-');
    const bytes = fc
      .array(fc.oneof(alike.map(Buffer.from), fc.uint8Array({ maxLength: 40 })), { maxLength: 30 })
      .map((list) => Buffer.concat(list))
      .filter(
        (all) => !all.includes(`\r\n--${boundary}`) && !all.toString('latin1').startsWith(`--${boundary}`),
      );
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(bytes, sizes, async (value, cuts) => {
        const { fields } = await read(request(formBytes({ ...file, value }, purpose), cuts));
        expect(stored.get('a.jsonl')?.equals(value)).toBe(true);
        expect(fields).toEqual({ purpose: 'batch' });
      }),
      { numRuns: 200 },
    );
  });
});

describe('what is wrong with a form is said, and leaves nothing', () => {
  const whole = formBytes(file, purpose);
  test.each<[string, HttpRequest, object]>([
    ['no form', request(Buffer.from('{}'), [], { 'content-type': 'application/json' }), { status: 415 }],
    ['no boundary', request(whole, [], { 'content-type': 'multipart/form-data' }), { status: 415 }],
    ['compressed', request(whole, [], { 'content-encoding': 'gzip' }), { status: 415 }],
    ['announced as too large', request(whole, [], { 'content-length': '300000' }), { status: 413 }],
    ['no file', request(formBytes(purpose)), { status: 400, param: 'file' }],
    ['nothing', request(formBytes()), { status: 400, param: 'file' }],
    ['empty', request(Buffer.alloc(0)), { status: 400 }],
    [
      'two files',
      request(formBytes(file, { ...file, filename: 'b' }, purpose)),
      { status: 400, param: 'file' },
    ],
    ['another file', request(formBytes({ ...file, name: 'image' })), { status: 400, param: 'image' }],
    [
      'the file as a text',
      request(formBytes({ name: 'file', value: 'text' })),
      { status: 400, param: 'file' },
    ],
    [
      'a huge field',
      request(formBytes(file, { ...purpose, value: 'x'.repeat(9_000) })),
      { param: 'purpose' },
    ],
    ['many fields', request(formBytes(file, ...Array<FormPart>(40).fill(purpose))), { status: 400 }],
    [
      'too large',
      request(formBytes({ ...file, value: 'x'.repeat(100_001) })),
      { status: 413, param: 'file' },
    ],
    ['cut in the file', request(whole.subarray(0, 110)), { status: 400 }],
    ['cut in a field', request(whole.subarray(0, whole.length - 30)), { status: 400 }],
    ['cut before its last boundary', request(whole.subarray(0, whole.length - 4)), { status: 400 }],
    ['no headers', request(Buffer.from(`--${boundary}\r\n\r\nx\r\n--${boundary}--`)), { status: 400 }],
    [
      'broken off',
      request(whole.subarray(0, 110), [], {}, new GatewayError('client_closed', 'Left.')),
      { status: 499 },
    ],
  ])('%s', async (_, given, expected) => {
    await expect(read(given)).rejects.toMatchObject(expected);
    expect([...stored.keys()].filter((name) => !discarded.includes(name))).toEqual([]);
  });

  test('a store that fails is not waited for', async () => {
    const failing: FileForm = {
      ...form,
      store: async () => {
        throw new GatewayError('not_found', 'No such upload.');
      },
    };
    const large = request(formBytes({ ...file, value: Buffer.alloc(90_000) }, purpose), [200, 300]);
    await expect(read(large, failing)).rejects.toMatchObject({ status: 404 });
  });

  test('a request that is given up ends at once', async () => {
    const leaving = new AbortController();
    const given = request(formBytes(file, purpose).subarray(0, 110));
    async function* stuck() {
      yield* pieces(formBytes(file, purpose).subarray(0, 110), []);
      leaving.abort(new GatewayError('deadline_exceeded', 'It took too long.'));
      yield Buffer.from('x');
    }
    const reading = readForm({ ...given, arriving: stuck() }, form, { key, signal: leaving.signal });
    await expect(reading).rejects.toMatchObject({ status: 408 });
    expect(stored.size).toBe(0);
  });
});
