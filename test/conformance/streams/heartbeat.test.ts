/** A stream without events is kept alive by comments between events, which clients ignore, and never inside one. */
import { expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { useWires } from '../../harness/gateways/wire-gateway.ts';
import { end, finish, start, text, wireScripts } from '../../harness/wire-scripts.ts';

const wires = useWires({ GATEWAY_HEARTBEAT_MS: '150' });

const blocksOf = (answer: string) => answer.split('\n\n').filter((block) => block !== '');

test.each(wireScripts)(
  '$wire: comments are sent while there are no events, and only between events',
  async (script) => {
    const before = script.stream([start, text('a')]);
    const all = script.stream([start, text('a'), text('b'), finish, end]);
    const later = all.slice(before.length);
    const answer = await (
      await wires.play(script, [...before, 400, ...later.slice(0, 1), 400, ...later.slice(1)])
    ).text();
    const blocks = blocksOf(answer);
    for (const block of blocks) expect(block).toMatch(/^(: ping|data: .*)$/);
    const kinds = blocks
      .map((block) => (block === ': ping' ? '.' : /"content":"(\w+)"/.exec(block)?.[1]))
      .join('');
    expect(kinds).toMatch(/a\.{2,}b\.{2,}/);
    expect(readChatStream(answer).choices.get(0)?.content).toBe('ab');
  },
);

test.each(wireScripts)('$wire: a stream with frequent events has none', async (script) => {
  const letters = Array.from('steadily', (one) => text(one));
  const frames = script.stream([start, ...letters, finish, end]);
  const flowing = frames.flatMap((frame, at) => (at < letters.length ? [frame, 30] : [frame]));
  expect(await (await wires.play(script, flowing)).text()).not.toContain(': ping');
});

test.each(wireScripts)(
  '$wire: half an event from the provider causes no comment inside an event',
  async (script) => {
    const frames = Buffer.concat(script.stream([start, text('a'), text('b'), finish, end]));
    const middle = frames.lastIndexOf('"b"');
    const answer = await (
      await wires.play(script, [frames.subarray(0, middle), 300, frames.subarray(middle)])
    ).text();
    for (const block of blocksOf(answer)) expect(block).toMatch(/^(: ping|data: .*)$/);
    expect(answer).toContain(': ping');
    expect(readChatStream(answer).choices.get(0)?.content).toBe('ab');
  },
);
