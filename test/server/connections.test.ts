/** Which connections wait for their client, which of them are closed, and which requests may run. */
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createConnections } from '../../server/http/connections.ts';
import { serverLimits } from '../../server/http/limits.ts';

const openConnections = (limits: Partial<typeof serverLimits> = {}) => {
  const connections = createConnections({ ...serverLimits, ...limits });
  const open = () => {
    const socket = new Socket();
    connections.add(socket);
    return socket;
  };
  const closed = (...sockets: readonly Socket[]) => sockets.map(({ destroyed }) => destroyed);
  return { ...connections, open, closed };
};

describe('a connection that waits', () => {
  test('for longest is closed when too many do, and those that are served do not count', () => {
    const { begin, closed, counts, open } = openConnections({ maxWaiting: 2 });
    const served = open();
    begin(served).complete();
    const [first, second, third] = [open(), open(), open()];
    expect(closed(served, first, second, third)).toEqual([false, true, false, false]);
    expect(counts()).toEqual({ open: 3, waiting: 2 });
  });

  test('is the last of them again with its next request', () => {
    const { begin, closed, open } = openConnections({ maxWaiting: 2 });
    const [first, second] = [open(), open()];
    begin(first);
    const third = open();
    expect(closed(first, second, third)).toEqual([false, true, false]);
  });

  test('waits again after its answer', () => {
    const { begin, counts, open } = openConnections();
    const request = begin(open());
    expect(counts().waiting).toBe(1);
    request.complete();
    expect(counts().waiting).toBe(0);
    request.end();
    expect(counts().waiting).toBe(1);
  });

  test('with the bytes of an unfinished body is closed above the limit of all, and its bytes are free again', () => {
    const { begin, closed, open } = openConnections({ maxArrivingBytes: 100 });
    const [first, second] = [open(), open()];
    const [large, other] = [begin(first), begin(second)];
    large.receive(60);
    other.receive(41);
    expect(closed(first, second)).toEqual([true, false]);
    large.receive(60);
    other.receive(59);
    expect(second.destroyed).toBe(false);
  });

  test('stays open where the memory of requests has room for what arrives', () => {
    const connections = createConnections({ ...serverLimits, maxArrivingBytes: 100 }, () => 200);
    const [first, second] = [new Socket(), new Socket()];
    for (const socket of [first, second]) connections.add(socket);
    connections.begin(first).receive(100);
    const other = connections.begin(second);
    other.receive(100);
    expect(first.destroyed).toBe(false);
    other.receive(1);
    expect(first.destroyed).toBe(true);
  });

  test('is closed for its bytes when requests take the memory that was spare, and one without bytes is not', () => {
    let spare = 200;
    const connections = createConnections({ ...serverLimits, maxArrivingBytes: 100 }, () => spare);
    const [idle, slow] = [new Socket(), new Socket()];
    for (const socket of [idle, slow]) connections.add(socket);
    connections.begin(slow).receive(150);
    connections.makeRoom();
    expect([idle.destroyed, slow.destroyed]).toEqual([false, false]);
    spare = 120;
    connections.makeRoom();
    expect([idle.destroyed, slow.destroyed]).toEqual([false, true]);
  });

  test('has no bytes of a body that is complete, or of one that was left', () => {
    const { begin, closed, open } = openConnections({ maxArrivingBytes: 100 });
    const [first, second] = [open(), open()];
    const complete = begin(first);
    complete.receive(90);
    complete.complete();
    const left = begin(second);
    left.receive(90);
    left.end();
    begin(open()).receive(90);
    expect(closed(first, second)).toEqual([false, false]);
  });

  test('is forgotten once it is closed, also while it sends', async () => {
    const { begin, counts, open } = openConnections();
    const socket = open();
    const request = begin(socket);
    socket.destroy();
    await new Promise((resolve) => socket.once('close', resolve));
    request.end();
    expect(counts()).toEqual({ open: 0, waiting: 0 });
  });
});

describe('a connection on which nothing comes or goes', () => {
  test('is closed without a request, and not while an answer is made', () => {
    const { begin, closed, idle, open } = openConnections();
    const [empty, served] = [open(), open()];
    begin(served);
    idle(empty);
    idle(served);
    expect(closed(empty, served)).toEqual([true, false]);
  });

  test('is closed when its client does not take the answer', () => {
    const { begin, idle, open } = openConnections();
    const socket = open();
    begin(socket);
    Object.defineProperty(socket, 'writableLength', { value: 1 });
    idle(socket);
    expect(socket.destroyed).toBe(true);
  });

  test('is closed if it is not known', () => {
    const socket = new Socket();
    openConnections().idle(socket);
    expect(socket.destroyed).toBe(true);
  });
});

describe('a request', () => {
  test('runs unless too many do, and again after one has ended', () => {
    const { begin, open } = openConnections({ maxRunning: 1 });
    const [first, second] = [begin(open()), begin(open())];
    expect([first.complete(), second.complete()]).toEqual([true, false]);
    second.end();
    expect(begin(open()).complete()).toBe(false);
    first.end();
    expect(begin(open()).complete()).toBe(true);
  });

  test('does not run behind too many of the same connection', () => {
    const { begin, open } = openConnections({ maxPipelined: 2 });
    const socket = open();
    expect([1, 2, 3].map(() => begin(socket).complete())).toEqual([true, true, false]);
  });
});
