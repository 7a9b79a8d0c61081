/** A stream without events is kept alive by comments between events, which clients ignore, and never inside one. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { postJson } from '../../harness/post.ts';
import {
  end,
  finish,
  protocolScripts,
  responseScripts,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { readAlong } from '../../harness/read-along.ts';
import { seenIn, useResponseProtocols } from '../../harness/responses/response-protocols.ts';
import { readResponseStream } from '../../harness/responses/response-stream.ts';

const environment = { GATEWAY_HEARTBEAT_MS: '50', GATEWAY_READ_ON_MS: '300' };
const { protocols, ...responses } = useResponseProtocols(environment);

const operations = [
  {
    operation: 'chat',
    scripts: protocolScripts,
    replay: protocols.replay,
    event: /^(: ping|data: .*)$/,
    textOf: (answer: string) => readChatStream(answer).choices.get(0)?.content,
    failure: /^(: ping\n\n)+data: \{"error":.*"code":"provider_/,
  },
  {
    operation: 'Responses',
    scripts: responseScripts,
    replay: responses.replay,
    event: /^(: ping|event: (\S+)\ndata: \{"type":"\2",.*\})$/,
    textOf: (answer: string) => seenIn(readResponseStream(answer).response).text,
    failure: /^(: ping\n\n)+event: error\ndata: \{"type":"error","sequence_number":0,"code":"provider_/,
  },
];

const blocksOf = (answer: string) => answer.split('\n\n').filter((block) => block !== '');

/** A dot for each comment, the text of each event. */
const outlineOf = (answer: string) =>
  blocksOf(answer)
    .map((block) => (block === ': ping' ? '.' : /"(?:content|delta)":"(\w+)"/.exec(block)?.[1]))
    .join('');

describe.each(operations)('$operation', ({ scripts, replay, event, textOf, failure }) => {
  test.each(scripts)('$protocol: comments fill the silence, between events only', async (script) => {
    const before = script.stream([start, text('a')]);
    const all = script.stream([start, text('a'), text('b'), finish, end]);
    const [next = Buffer.alloc(0), ...last] = all.slice(before.length);
    const caller = readAlong();
    const seen = (outline: RegExp) => () => caller.until((answer) => outline.test(outlineOf(answer)));
    const pieces = [...before, seen(/a\.{2}/), next, seen(/b\.{2}/), ...last];
    const answer = await caller.read(replay(script, pieces));
    for (const block of blocksOf(answer)) expect(block).toMatch(event);
    expect(outlineOf(answer)).toMatch(/^\.*a\.{2,}b\.{2,}$/);
    expect(textOf(answer)).toBe('ab');
  });

  test.each(scripts)(
    '$protocol: half an event from the provider causes no comment inside an event',
    async (script) => {
      const frames = Buffer.concat(script.stream([start, text('a'), text('b'), finish, end]));
      const middle = frames.lastIndexOf('"b"');
      const caller = readAlong();
      const pinged = () => caller.until((answer) => /a\./.test(outlineOf(answer)));
      const pieces = [frames.subarray(0, middle), pinged, frames.subarray(middle)];
      const answer = await caller.read(replay(script, pieces));
      for (const block of blocksOf(answer)) expect(block).toMatch(event);
      expect(textOf(answer)).toBe('ab');
    },
  );

  test.each(scripts)('$protocol: the head and comments come before a late first event', async (script) => {
    const caller = readAlong();
    const pinged = () => caller.until((answer) => /^\.{2,}$/.test(outlineOf(answer)));
    const all = script.stream([start, text('a'), finish, end]);
    const began = script.stream([start]).length;
    const answer = await caller.read(replay(script, [...all.slice(0, began), pinged, ...all.slice(began)]));
    expect(outlineOf(answer)).toMatch(/^\.{2,}a\.*$/);
    expect(textOf(answer)).toBe('a');
    expect(protocols.upstream.requests).toHaveLength(1);
  });

  test.each(scripts)('$protocol: a failure after such a head is an event', async (script) => {
    const caller = readAlong();
    const pinged = () => caller.until((answer) => /^\.{2,}$/.test(outlineOf(answer)));
    const answer = await caller.read(replay(script, [...script.stream([start]), pinged, 'cut']));
    expect(answer).toMatch(failure);
    expect(answer).not.toContain('[DONE]');
  });
});

test.each(protocolScripts)(
  '$protocol: a caller who leaves before the head gets none, and the call ends after the time for its counts',
  async (script) => {
    protocols.upstream.script((_request, response) => {
      response.writeHead(200, { 'content-type': script.streamType });
      response.flushHeaders();
    });
    const { url, apiKey } = protocols.gateway;
    const caller = new AbortController();
    const asked = postJson(
      `${url}/v1/chat/completions`,
      apiKey,
      {
        model: script.model,
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
      },
      { signal: caller.signal },
    ).catch(() => undefined);
    while (protocols.upstream.requests.length === 0) await pause(2);
    caller.abort();
    await asked;
    expect(await protocols.upstream.requests[0]?.over).toBe(false);
  },
  20_000,
);
