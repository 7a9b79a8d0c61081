/** What Node's parser refuses before there is a request, and a request that does not arrive in time. */
import type { Socket } from 'node:net';
import { sendRawOwnAnswer } from './own-answers.ts';

/** Of the errors of Node's server; of all others, it is 400. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['HPE_HEADER_OVERFLOW', 431],
]);

export function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRawOwnAnswer(socket, 'DEFAULT_4XX', statuses.get(error.code ?? '') ?? 400);
}
