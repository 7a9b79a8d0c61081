/** Callers that leave, stop reading or get very much, in every protocol. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  end,
  finish,
  type ProtocolAndForm,
  type ProtocolScript,
  ping,
  protocolScripts,
  protocolsAndForms,
  responseProtocolsAndForms,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { writePiece } from '../../harness/upstream.ts';

const protocols = useProtocolGateway({ GATEWAY_READ_ON_MS: '100' });

const chat = { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
const operations = [
  { path: '/v1/chat/completions', rows: protocolsAndForms, question: chat },
  { path: '/v1/messages', rows: protocolsAndForms, question: chat },
  { path: '/v1/responses', rows: responseProtocolsAndForms, question: { input: 'Hello' } },
];
const streamedOf = (rows: readonly ProtocolAndForm[]) => rows.filter(({ stream }) => stream);

describe.each(operations)(
  "$path: when the caller leaves, the provider's call ends after the time for its counts",
  ({ path, rows, question }) => {
    function ask(script: ProtocolScript, stream: boolean, signal: AbortSignal): Promise<Response> {
      return protocols.gateway.post(path, { model: script.model, stream, ...question }, {}, signal);
    }

    async function expectOver(leave: () => void): Promise<void> {
      leave();
      expect(await protocols.upstream.requests[0]?.over).toBe(false);
    }

    test.each(rows)('$protocol, $form: before the first token', async ({ script, stream }) => {
      protocols.upstream.script((_request, response) => {
        response.writeHead(200, { 'content-type': stream ? script.streamType : 'application/json' });
        response.flushHeaders();
        if (stream) for (const frame of script.stream([start, ping])) response.write(frame);
      });
      const controller = new AbortController();
      const asked = ask(script, stream, controller.signal).catch(() => undefined);
      while (protocols.upstream.requests.length === 0) await pause(5);
      await pause(20);
      await expectOver(() => controller.abort());
      await asked;
    });

    test.each(streamedOf(rows))('$protocol: in the middle of the stream', async ({ script }) => {
      protocols.upstream.script((_request, response) => {
        response.writeHead(200, { 'content-type': script.streamType });
        response.write(Buffer.concat(script.stream([start, text('Once')])));
      });
      const controller = new AbortController();
      const response = await ask(script, true, controller.signal);
      await response.body?.getReader().read();
      await expectOver(() => controller.abort());
    });
  },
);

test('no request is repeated for a caller who has left', async () => {
  // A retry starts after 625 ms at most.
  await pause(700);
  const asked = operations.flatMap(({ rows }) => [...rows, ...streamedOf(rows)]);
  expect(protocols.upstream.total).toBe(asked.length);
});

describe('large, fast or slow streams: nothing is lost, and nothing accumulates', () => {
  const megabyte = 1024 * 1024;

  test.each(protocolScripts)('$protocol: ten thousand small chunks', async (script) => {
    const pieces = Array.from({ length: 10_000 }, (_, at) => text(`${at} `));
    const began = process.cpuUsage();
    const seen = await protocols.read(script, [
      Buffer.concat(script.stream([start, ...pieces, finish, end])),
    ]);
    expect(seen.choices.get(0)?.content).toBe(pieces.map((_, at) => `${at} `).join(''));
    expect(seen.chunks.length).toBeGreaterThan(10_000);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(10_000);
  });

  test.each(protocolScripts)(
    '$protocol: a chunk reaches the caller before the next one is sent',
    async (script) => {
      const letters = Array.from('slowly', (letter) => ({ letter, arrived: Promise.withResolvers<void>() }));
      protocols.upstream.script(async (_request, response) => {
        response.writeHead(200, { 'content-type': script.streamType });
        response.write(Buffer.concat(script.stream([start])));
        for (const { letter, arrived } of letters) {
          response.write(Buffer.concat(script.stream([text(letter)])));
          await arrived.promise;
        }
        response.end(Buffer.concat(script.stream([finish, end])));
      });
      const response = await protocols.ask(script, { stream: true });
      let read = '';
      for await (const chunk of response.body ?? []) {
        read += Buffer.from(chunk).toString();
        for (const { arrived } of letters.slice(0, read.split('"content":"').length - 1)) arrived.resolve();
      }
      expect(read).toContain('[DONE]');
    },
  );

  test.each(protocolScripts)('$protocol: a client that stops reading stops the provider', async (script) => {
    const piece = Buffer.concat(script.stream([text('x'.repeat(64 * 1024))]));
    let sent = 0;
    protocols.upstream.script(async (_request, response) => {
      response.writeHead(200, { 'content-type': script.streamType });
      response.write(Buffer.concat(script.stream([start])));
      while (!response.destroyed && sent < 256 * megabyte) {
        sent += piece.length;
        await writePiece(response, piece);
      }
    });
    const controller = new AbortController();
    const response = await protocols.gateway.post(
      '/v1/chat/completions',
      {
        model: script.model,
        stream: true,
        messages: [{ role: 'user', content: 'Much.' }],
      },
      {},
      controller.signal,
    );
    const reader = response.body?.getReader();
    await reader?.read();
    const standstill = await untilStill(() => sent);
    expect(standstill).toBeLessThan(64 * megabyte);
    for (let read = 0; read < standstill; ) read += (await reader?.read())?.value?.length ?? standstill;
    expect(sent).toBeGreaterThan(standstill);
    controller.abort();
    expect(await protocols.upstream.requests[0]?.over).toBe(false);
  });

  /** The value after it has not changed for half a second. */
  async function untilStill(value: () => number): Promise<number> {
    for (;;) {
      const before = value();
      await pause(500);
      if (value() === before) return before;
    }
  }
});
