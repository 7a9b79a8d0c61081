/** Server-sent events, however their bytes are split. */
import { describe, expect, test } from 'vitest';
import { maxEventCharacters } from '../../lib/transport/framing/sse.ts';
import { framesOf, readRecording, recordings, splitsThatDiffer } from './pieces.ts';
import { failureOf } from './upstream.ts';

const parse = (text: string) => framesOf([Buffer.from(text)], 'sse');
const frame = (data: string, event = '') => ({ event, data });

describe('an event', () => {
  test.each([
    ['line feeds', 'event: a\ndata: 1\n\ndata: 2\n\n'],
    ['carriage returns', 'event: a\rdata: 1\r\rdata: 2\r\r'],
    ['both together', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n'],
    ['a mixture', 'event: a\r\ndata: 1\n\rdata: 2\r\n\n'],
  ])('ends at a blank line written with %s', async (_name, text) => {
    expect(await parse(text)).toEqual([frame('1', 'a'), frame('2')]);
  });

  test('joins its data lines with line feeds', async () => {
    expect(await parse('data: {\ndata:\ndata: }\n\n')).toEqual([frame('{\n\n}')]);
  });

  test('loses one space after the colon and no more', async () => {
    expect(await parse('data:1\n\ndata:  2 \n\n')).toEqual([frame('1'), frame(' 2 ')]);
  });

  test('keeps colons in its data', async () => {
    expect(await parse('data: a: b:c\n\n')).toEqual([frame('a: b:c')]);
  });

  test('is not made of comments, unknown fields, ids or names alone', async () => {
    expect(await parse(': ping\n\nid: 7\n\nretry: x\n\nodd line\n\nevent: a\n\n:\n\n')).toEqual([]);
  });

  test('survives comments inside it', async () => {
    expect(await parse(': one\ndata: 1\n: two\ndata: 2\n\n')).toEqual([frame('1\n2')]);
  });

  test('passes its name to no other', async () => {
    expect(await parse('event: error\ndata: 1\n\ndata: 2\n\n')).toEqual([frame('1', 'error'), frame('2')]);
  });

  test('is delivered at the end of input without its blank line', async () => {
    expect(await parse('data: 1\n\ndata: 2\n')).toEqual([frame('1'), frame('2')]);
    expect(await parse('data: 1\n\ndata: [DONE]')).toEqual([frame('1'), frame('[DONE]')]);
    expect(await parse('data: 1\r\n\r\ndata: 2\r')).toEqual([frame('1'), frame('2')]);
  });

  test('needs data', async () => {
    expect(await parse('')).toEqual([]);
    expect(await framesOf([], 'sse')).toEqual([]);
  });

  test('is read behind a byte order mark', async () => {
    expect(await parse('\uFEFFdata: 1\n\n')).toEqual([frame('1')]);
  });

  test('may be as large as an image', async () => {
    const data = 'x'.repeat(8 * 1024 * 1024);
    const [found] = await framesOf([Buffer.from(`data: ${data}`), Buffer.from('\n\n')], 'sse');
    expect(found?.data.length).toBe(data.length);
  });

  test('that never ends is an invalid answer', async () => {
    const piece = Buffer.alloc(maxEventCharacters / 4, 'x');
    const reading = framesOf([Buffer.from('data: '), piece, piece, piece, piece, piece], 'sse');
    expect(await failureOf(reading)).toMatchObject({ kind: 'upstream_invalid_answer' });
  });
});

describe('the same events come from every split of the bytes', () => {
  const sample = 'event: a\ndata: grüße 🙂\n\n: ping\n\ndata: 1\ndata: 2\n\ndata: [DONE]\n\n';

  test.each([
    ['line feeds', sample],
    ['carriage returns', sample.replaceAll('\n', '\r')],
    ['both together', sample.replaceAll('\n', '\r\n')],
  ])('of a sample with %s', async (_name, text) => {
    const expected = [frame('grüße 🙂', 'a'), frame('1\n2'), frame('[DONE]')];
    expect(await parse(text)).toEqual(expected);
    expect(await splitsThatDiffer(Buffer.from(text), 'sse', expected)).toEqual([]);
  });

  const names = recordings('.sse');

  // Those of a sample are all of its bytes.
  test.skipIf(names.length === 0)('of every recorded stream, at some of them', async () => {
    for (const name of names) {
      const bytes = readRecording(name);
      const expected = await framesOf([bytes], 'sse');
      expect(expected.length, name).toBeGreaterThan(0);
      expect(await splitsThatDiffer(bytes, 'sse', expected, 13), name).toEqual([]);
    }
  });
});
