/** While an attack runs, light requests of others take at most three times as long. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGatewayProcess } from '../harness/gateways/gateway-process.ts';
import { use } from '../harness/use.ts';
import { bombs } from './bombs.ts';
import { delayDuring, light } from './light.ts';
import { megabyte, peakOf } from './memory.ts';

const sockets = new Set<Socket>();

const gateway = use(
  () => startGatewayProcess(),
  (started) => started.stop(),
);
beforeAll(async () => {
  for (let count = 0; count < 100; count++) await light(gateway);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
});

function open(text: string | Uint8Array): Socket {
  const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  socket.write(text);
  return socket;
}

const head = (more: string) => `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}`;

/** What is done again and again, with a rest of so many milliseconds between. */
interface Attack {
  readonly name: string;
  readonly begin: () => void;
  readonly again: () => void;
  readonly restMs: number;
}

const many = (count: number, act: () => void) => {
  for (let done = 0; done < count; done++) act();
};
const drip = () => {
  for (const socket of [...sockets].slice(0, 50)) socket.write('x');
};
const packed = Object.values(bombs).map(({ coding, body }) =>
  Buffer.concat([
    Buffer.from(
      head(
        `authorization: Bearer mgw_nobody\r\ncontent-type: application/json\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`,
      ),
    ),
    body,
  ]),
);

/** Each coding in turn. */
let sent = 0;

const attacks: readonly Attack[] = [
  {
    name: 'ten thousand idle connections',
    begin: () => many(10_000, () => open('')),
    again: () => {},
    restMs: 50,
  },
  { name: 'slow headers', begin: () => many(500, () => open(head('x-slow: '))), again: drip, restMs: 50 },
  {
    name: 'slow bodies',
    begin: () => many(500, () => open(head('content-length: 9000000\r\n\r\n'))),
    again: drip,
    restMs: 50,
  },
  {
    name: 'requests sent ahead',
    begin: () => {},
    again: () => void open(head('content-length: 0\r\n\r\n').repeat(100)).end(),
    restMs: 200,
  },
  {
    name: 'packed bodies of strangers',
    begin: () => {},
    again: () => void open(packed[sent++ % packed.length] ?? '').end(),
    restMs: 50,
  },
];

test.each(attacks)('$name', { timeout: 120_000 }, async ({ begin, again, restMs }) => {
  peakOf(gateway.pid);
  const before = peakOf(gateway.pid);
  let timer: NodeJS.Timeout | undefined;
  const attack = {
    begin() {
      begin();
      timer = setInterval(again, restMs);
    },
    end() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
  expect(await delayDuring(attack, gateway, 3)).toBeLessThanOrEqual(3);
  expect(peakOf(gateway.pid) - before).toBeLessThan(250 * megabyte);
});
