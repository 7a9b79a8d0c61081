/** The lines of files of batches: how they are divided, read and written. */
import { expect, test } from 'vitest';
import { eachConcurrently } from '../../lib/async/each-concurrently.ts';
import { readLines, writeLine } from '../../lib/batches/lines/job-lines.ts';
import { maxLineBytes, readLine } from '../../lib/batches/lines/read-line.ts';
import { writeResults } from '../../lib/batches/lines/results.ts';
import { writeShards } from '../../lib/batches/lines/shards.ts';
import type { ByteStore, FilePart } from '../../lib/core/files.ts';
import { splitLines } from '../../lib/core/formats/json-lines.ts';

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(text: string, size = 3, longest?: number) {
  const lines = await Array.fromAsync(splitLines(chunked(text, size), longest ?? maxLineBytes));
  return lines.map(({ n, bytes }) => [n, bytes?.toString()]);
}

function memory(): ByteStore & { readonly stored: Map<string, Buffer> } {
  const stored = new Map<string, Buffer>();
  return {
    stored,
    async put(name, bytes) {
      stored.set(name, Buffer.from(bytes));
      return { name, bytes: bytes.length };
    },
    async *get(name) {
      yield stored.get(name) ?? Buffer.alloc(0);
    },
    async delete(names) {
      for (const name of names) stored.delete(name);
    },
  };
}

test.for([1, 3, 100])('a line feed alone ends a line, in chunks of %i bytes', async (size) => {
  const text = '\ufeffone\r\n\n two\u2028half\u2029\u0085\rlines\nlast';
  expect(await split(text, size)).toEqual([
    [0, 'one\r'],
    [1, ''],
    [2, ' two\u2028half\u2029\u0085\rlines'],
    [3, 'last'],
  ]);
  expect(await split('one\n', size)).toEqual([[0, 'one']]);
  expect(await split('', size)).toEqual([]);
});

test('a line that is too long is left out, and those after it are not', async () => {
  expect(await split('123456\n12345\n1234567', 4, 5)).toEqual([
    [0, undefined],
    [1, '12345'],
    [2, undefined],
  ]);
});

const openai = { contract: 'openai', operation: 'chat-completions' } as const;
const anthropic = { contract: 'anthropic', operation: 'messages' } as const;

const codeOf = (batch: typeof openai | typeof anthropic, line: unknown) => {
  const text = typeof line === 'string' ? line : JSON.stringify(line);
  const read = readLine(batch, { n: 0, bytes: Buffer.from(text) });
  if (!read) return undefined;
  return 'problem' in read ? [read.problem.code, read.problem.param] : read.line;
};

const good = { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'm' } };

test('each problem of a line is named, with its field', () => {
  const { custom_id: _, ...unnamed } = good;
  expect(codeOf(openai, ' \r')).toBeUndefined();
  expect(codeOf(openai, '{')).toEqual(['invalid_json_line', undefined]);
  expect(codeOf(openai, '[]')).toEqual(['invalid_json_line', undefined]);
  expect(codeOf(openai, unnamed)).toEqual(['missing_required_parameter', 'custom_id']);
  expect(codeOf(openai, { ...good, custom_id: 7 })).toEqual(['invalid_custom_id', 'custom_id']);
  expect(codeOf(openai, { ...good, custom_id: '' })).toEqual(['invalid_custom_id', 'custom_id']);
  expect(codeOf(openai, { ...good, custom_id: 'a'.repeat(513) })).toEqual(['invalid_custom_id', 'custom_id']);
  expect(codeOf(openai, { ...good, custom_id: 'a'.repeat(1_000_000) })).toEqual([
    'invalid_custom_id',
    'custom_id',
  ]);
  expect(codeOf(openai, { ...good, method: undefined })).toEqual(['missing_required_parameter', 'method']);
  expect(codeOf(openai, { ...good, method: 'GET' })).toEqual(['invalid_method', 'method']);
  expect(codeOf(openai, { ...good, url: '/v1/responses' })).toEqual(['invalid_url', 'url']);
  expect(codeOf(openai, { ...good, body: undefined })).toEqual(['missing_required_parameter', 'body']);
  expect(codeOf(openai, { ...good, body: [] })).toEqual(['invalid_request', 'body']);
  expect(codeOf(openai, { ...good, body: { stream: true } })).toEqual([
    'streaming_unsupported',
    'body.stream',
  ]);
  expect(codeOf(openai, { ...good, body: { extra: { dry_run: true } } })).toEqual([
    'dry_run_unsupported',
    'body.extra.dry_run',
  ]);
  expect(readLine(openai, { n: 0, bytes: undefined })).toMatchObject({ problem: { code: 'line_too_long' } });
  expect(codeOf(anthropic, { custom_id: 'a b', params: {} })).toEqual(['invalid_custom_id', 'custom_id']);
  expect(codeOf(anthropic, { custom_id: 'a' })).toEqual(['missing_required_parameter', 'params']);
});

test('a line that is no text, or is nested too deep to be written again, is refused', () => {
  const text = JSON.stringify({ ...good, custom_id: 'ÿ' });
  const read = readLine(openai, { n: 0, bytes: Buffer.from(text, 'latin1') });
  expect(read).toMatchObject({
    problem: { code: 'invalid_json_line', message: 'This line is not valid UTF-8.' },
  });
  const nested = (levels: number) => text.replace('"m"', `${'['.repeat(levels)}1e9${']'.repeat(levels)}`);
  expect(codeOf(openai, nested(198))).toMatchObject({ n: 0 });
  for (const levels of [199, 20_000, 2_000_000])
    expect(codeOf(openai, nested(levels))).toEqual(['invalid_json_line', undefined]);
});

test('numbers are as the caller wrote them', () => {
  const text =
    '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"seed":12345678901234567890}}';
  expect(codeOf(openai, text)).toEqual({ n: 0, customId: 'a', body: '{"seed":12345678901234567890}' });
  expect(codeOf(anthropic, { custom_id: 'a', params: { model: 'm' } })).toMatchObject({
    body: '{"model":"m"}',
  });
});

test('what is stored of a line is read as it was, whatever its id', async () => {
  const bytes = memory();
  const lines = ['a', ',"body":{', '"', 'é\u2028'].map((customId, n) => ({
    n,
    customId,
    body: '{"x":"y\u0085"}',
  }));
  const shards = writeShards(bytes, (n) => `lines-${n}`);
  for (const line of lines) await shards.write(writeLine(line));
  await shards.flush();
  const read = await Array.fromAsync(readLines(shards.parts, bytes));
  expect(read.map(({ n, customId, body }) => ({ n, customId, body: JSON.parse(body) }))).toEqual(
    lines.map(({ n, customId }) => ({ n, customId, body: { x: 'y\u0085' } })),
  );
});

test('results have no character that divides lines elsewhere, and parts of eight megabytes at most', async () => {
  const bytes = memory();
  const results = writeResults(bytes, { tenant: 'acme', id: 'batch_1' }, (what, n) => `${what}-${n}`);
  const body = JSON.stringify({ text: `\u2028\u2029\u0085${'x'.repeat(3_000_000)}` });
  const lines = Array.from({ length: 5 }, (_, n) => ({ n, customId: `id-${n}\u2028` }));
  await Promise.all(lines.map((line) => results.answered(line, { status: 200, requestId: 'r', body })));
  await results.answered({ n: 5, customId: 'bad' }, { status: 400, requestId: 'r', body: '{}' });
  const { output, errors } = await results.flush();
  expect(output.map((part: FilePart) => part.bytes > 8 * 1024 * 1024)).toEqual([false, false, false]);
  const text = output.map(({ name }) => bytes.stored.get(name)?.toString()).join('');
  expect(text).not.toMatch(/[\u2028\u2029\u0085]/);
  const read = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(read.map((line) => line.custom_id)).toEqual(lines.map(({ customId }) => customId));
  expect(read[0].response.body.text).toContain('\u2028\u2029\u0085xxx');
  expect(new Set(read.map((line) => line.id)).size).toBe(5);
  expect(errors).toHaveLength(1);
  expect(results.counts()).toMatchObject({ total: 6, completed: 5, failed: 1 });
});

test('work on a source goes on with a few at a time, and ends with the first failure', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  const numbers = async function* () {
    for (let n = 0; n < 20; n += 1) yield n;
  };
  await eachConcurrently(numbers(), 4, async (n) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    done.push(n);
  });
  expect(done).toHaveLength(20);
  expect(most).toBe(4);
  const failing = eachConcurrently(numbers(), 4, async (n) => {
    if (n === 5) throw new Error('five');
  });
  await expect(failing).rejects.toThrow('five');
});
