/** The response of a function: what its client gets is what was written, in whole frames, however it is written. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ResponseStream } from '../../server/http/response-stream.ts';

let stop = () => {};
afterEach(() => stop());

/** What a client gets, as it is sent. */
async function answered(
  write: (response: ResponseStream) => void,
  request = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
): Promise<{ head: string; body: string }> {
  const server = createServer({ ServerResponse: ResponseStream }, (_request, response) => {
    response.sendDate = false;
    response.begin({ statusCode: 200, headers: { 'x-a': '1' }, multiValueHeaders: { 'x-b': ['2', '3'] } });
    write(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stop = () => void server.close();
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(request);
  let text = '';
  for await (const bytes of socket.setEncoding('utf8')) text += bytes;
  const [head = '', ...body] = text.split('\r\n\r\n');
  return { head, body: body.join('\r\n\r\n') };
}

const pieces = ['data: {"a":"ä€😀"}\n\n', 'b', '', 'c'.repeat(40_000)];
const frame = (text: string) => (text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
const framed = `${pieces.map(frame).join('')}0\r\n\r\n`;

test('each text is one frame, and so are bytes', async () => {
  const seen = await answered((response) => {
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  expect(seen.head.split('\r\n').slice(0, 4)).toEqual(['HTTP/1.1 200 OK', 'x-a: 1', 'x-b: 2', 'x-b: 3']);
  expect(seen.head).toContain('\r\nTransfer-Encoding: chunked');
  expect(seen.body).toBe(framed);
  const bytes = await answered((response) => {
    for (const piece of pieces) response.write(Buffer.from(piece));
    response.end();
  });
  expect(bytes).toEqual(seen);
});

test('the end may have the last text, and its encoding', async () => {
  const last = await answered((response) => void response.end('ä€'));
  expect(last.body).toBe(`${frame('ä€')}0\r\n\r\n`);
  const latin = await answered((response) => {
    response.write('abc', 'latin1');
    response.end('YWJj', 'base64');
  });
  expect(latin.body).toBe(`${frame('abc')}${frame('abc')}0\r\n\r\n`);
});

test('the end is reported once it is sent, and ends nothing twice', async () => {
  const ended = Promise.withResolvers<void>();
  const { body } = await answered((response) => {
    response.end('a', () => ended.resolve());
    response.end();
  });
  await ended.promise;
  expect(body).toBe(`${frame('a')}0\r\n\r\n`);
});

test('a client of HTTP/1.0 gets no frames, and HEAD no body', async () => {
  const write = (response: ResponseStream) => {
    response.write('a');
    response.end('b');
  };
  expect((await answered(write, 'GET / HTTP/1.0\r\n\r\n')).body).toBe('ab');
  expect((await answered(write, 'HEAD / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')).body).toBe('');
});

test('each text of a stream leaves at the end of its turn, and a whole answer in one write', async () => {
  const waiting: unknown[] = [];
  await answered((response) => {
    response.write('');
    response.write('a');
    setImmediate(() => {
      response.write('b');
      waiting.push(response.socket?.writableLength);
      setImmediate(() => {
        waiting.push(response.socket?.writableLength);
        response.end();
      });
    });
  });
  expect(waiting).toEqual([frame('b').length, 0]);
  let writes = 0;
  await answered((response) => {
    const { socket } = response;
    const handle = socket && Reflect.get(socket, '_handle');
    for (const name of ['writev', 'writeUtf8String', 'writeLatin1String']) {
      const write = handle[name].bind(handle);
      handle[name] = (...given: unknown[]) => {
        writes += 1;
        return write(...given);
      };
    }
    response.write('{"a":1}');
    response.end();
  });
  expect(writes).toBe(1);
});
