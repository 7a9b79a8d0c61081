/** A Responses stream without events is kept alive by comments between events, which clients ignore, and never inside one. */
import { expect, test } from 'vitest';
import { end, finish, responseScripts, start, text } from '../../harness/protocol-scripts.ts';
import { readAlong } from '../../harness/read-along.ts';
import { seenIn, useResponseProtocols } from '../../harness/responses/response-protocols.ts';
import { readResponseStream } from '../../harness/responses/response-stream.ts';

const { protocols, ...responses } = useResponseProtocols({ GATEWAY_HEARTBEAT_MS: '50' });

test.each(responseScripts)('$protocol: comments fill the silence, between events only', async (script) => {
  const before = script.stream([start, text('a')]);
  const all = script.stream([start, text('a'), text('b'), finish, end]);
  const caller = readAlong();
  const pinged = () => caller.until((answer) => /"a".*: ping\n\n: ping\n\n/s.test(answer));
  const answer = await caller.read(
    responses.replay(script, [...before, pinged, ...all.slice(before.length)]),
  );
  const blocks = answer.split('\n\n').filter((block) => block !== '');
  for (const block of blocks) expect(block).toMatch(/^(: ping|event: (\S+)\ndata: \{"type":"\2",.*\})$/);
  expect(blocks.filter((block) => block === ': ping').length).toBeGreaterThanOrEqual(2);
  expect(seenIn(readResponseStream(answer).response).text).toBe('ab');
  expect(protocols.upstream.requests).toHaveLength(1);
});

test.each(responseScripts)(
  '$protocol: the head and comments come before a late first event',
  async (script) => {
    const caller = readAlong();
    const pinged = () => caller.until((answer) => answer.startsWith(': ping\n\n: ping\n\n'));
    const all = script.stream([start, text('a'), finish, end]);
    const began = script.stream([start]).length;
    const answer = await caller.read(
      responses.replay(script, [...all.slice(0, began), pinged, ...all.slice(began)]),
    );
    const events = answer.replaceAll(': ping\n\n', '');
    expect(seenIn(readResponseStream(events).response).text).toBe('a');
  },
);

test.each(responseScripts)('$protocol: a failure after such a head is an event', async (script) => {
  const caller = readAlong();
  const pinged = () => caller.until((answer) => answer.startsWith(': ping\n\n: ping\n\n'));
  const answer = await caller.read(responses.replay(script, [...script.stream([start]), pinged, 'cut']));
  expect(answer).toMatch(/event: error\ndata: \{"type":"error","sequence_number":0,"code":"provider_/);
});
