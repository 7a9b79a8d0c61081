/** A Responses stream without events is kept alive by comments between events, which clients ignore, and never inside one. */
import { expect, test } from 'vitest';
import { readResponseStream } from '../../harness/responses/response-stream.ts';
import { seenIn, useResponseWires } from '../../harness/responses/response-wires.ts';
import { end, finish, responseScripts, start, text } from '../../harness/wire-scripts.ts';

const { wires, ...responses } = useResponseWires({ GATEWAY_HEARTBEAT_MS: '150' });

test.each(responseScripts)(
  '$wire: comments are sent while there are no events, and only between events',
  async (script) => {
    const before = script.stream([start, text('a')]);
    const all = script.stream([start, text('a'), text('b'), finish, end]);
    const answer = await responses.play(script, [...before, 400, ...all.slice(before.length)]);
    const told = await answer.text();
    const blocks = told.split('\n\n').filter((block) => block !== '');
    for (const block of blocks) expect(block).toMatch(/^(: ping|event: (\S+)\ndata: \{"type":"\2",.*\})$/);
    expect(blocks.filter((block) => block === ': ping').length).toBeGreaterThanOrEqual(2);
    expect(seenIn(readResponseStream(told).response).text).toBe('ab');
    expect(wires.upstream.requests).toHaveLength(1);
  },
);
