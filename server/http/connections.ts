/**
 * The connections of clients. Those that wait for their client (for a first request, the rest of one, or the next one) are at
 * most so many, with so many bytes of unfinished bodies: above that, the one that has waited longest is closed. So clients
 * that send at once are served, whatever number of others sends slowly or not at all. Requests that run are counted, too.
 */
import type { Socket } from 'node:net';
import type { ServerLimits } from './limits.ts';

export interface ConnectionCounts {
  readonly open: number;
  /** Of these: for a first request, the rest of one, or the next one. */
  readonly waiting: number;
}

interface Connections {
  counts(): ConnectionCounts;
  add(socket: Socket): void;
  /** Closes what is above the limits. Call it when less memory is to spare. */
  makeRoom(): void;
  /** A request has begun. */
  begin(socket: Socket): Arrival;
  /** Nothing has come or gone for a while: closes it, unless an answer is being made. */
  idle(socket: Socket): void;
}

/** One request on its way. */
export interface Arrival {
  /** So many bytes of its body have come. */
  receive(bytes: number): void;
  /** It is here. Returns whether it may run; false: too many do. */
  complete(): boolean;
  /** It is answered, or will not be. */
  end(): void;
}

interface Connection {
  /** Requests that have begun and are not answered. */
  requests: number;
  /** Of the request that is arriving; a client may send it before it has the answer to another. */
  arriving: Arrival | undefined;
  /** Of its body. */
  bytes: number;
}

const newConnection = (): Connection => ({ requests: 0, arriving: undefined, bytes: 0 });

/** `spareBytes`: what no request needs of the memory that they share. */
export function createConnections(limits: ServerLimits, spareBytes = () => 0): Connections {
  const connections = new Map<Socket, Connection>();
  /** Those that wait, the longest first. */
  const waiting = new Set<Socket>();
  let bytes = 0;
  let running = 0;

  function setBytes(connection: Connection, count: number): void {
    bytes += count - connection.bytes;
    connection.bytes = count;
  }

  function forget(socket: Socket, connection: Connection): void {
    setBytes(connection, 0);
    waiting.delete(socket);
    connections.delete(socket);
  }

  const haveRoom = () => bytes <= limits.maxArrivingBytes || bytes <= spareBytes();

  /** With at least so many bytes of an unfinished body: where only bytes are too many, the others stay. */
  function longestWaiting(least: number): Socket | undefined {
    for (const socket of waiting) if ((connections.get(socket)?.bytes ?? 0) >= least) return socket;
    return undefined;
  }

  function makeRoom(): void {
    while (waiting.size > limits.maxWaiting || !haveRoom()) {
      const longest = longestWaiting(waiting.size > limits.maxWaiting ? 0 : 1);
      const connection = longest && connections.get(longest);
      if (!longest || !connection) return;
      forget(longest, connection);
      longest.destroy();
    }
  }

  /** A connection that waits now is the last of those that wait. */
  function follow(socket: Socket, connection: Connection): void {
    waiting.delete(socket);
    if (!connections.has(socket)) return;
    if (connection.requests === 0 || connection.arriving) waiting.add(socket);
    makeRoom();
  }

  function arrived(socket: Socket, connection: Connection, arrival: Arrival): void {
    if (connection.arriving === arrival) {
      connection.arriving = undefined;
      setBytes(connection, 0);
    }
    follow(socket, connection);
  }

  return {
    makeRoom,
    counts: () => ({ open: connections.size, waiting: waiting.size }),
    add(socket) {
      const connection = newConnection();
      connections.set(socket, connection);
      socket.once('close', () => forget(socket, connection));
      follow(socket, connection);
    },
    idle(socket) {
      const isServed = (connections.get(socket)?.requests ?? 0) > 0;
      if (!isServed || socket.writableLength > 0) socket.destroy();
    },
    begin(socket) {
      const connection = connections.get(socket) ?? newConnection();
      connection.requests += 1;
      const isInTurn = connection.requests <= limits.maxPipelined;
      let isRunning = false;
      const arrival: Arrival = {
        receive(count) {
          if (connections.has(socket)) setBytes(connection, connection.bytes + count);
          makeRoom();
        },
        complete() {
          arrived(socket, connection, arrival);
          isRunning = isInTurn && running < limits.maxRunning;
          if (isRunning) running += 1;
          return isRunning;
        },
        end() {
          if (isRunning) running -= 1;
          connection.requests -= 1;
          arrived(socket, connection, arrival);
        },
      };
      connection.arriving = arrival;
      follow(socket, connection);
      return arrival;
    },
  };
}
