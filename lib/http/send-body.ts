/** Sends the body of an answer, whose head is sent, and ends the response. */
import type { Writable } from 'node:stream';
import type { HttpAnswer } from './respond.ts';

/** Resolves when all is sent. Rejects when the response closes before. */
export async function sendBody(body: HttpAnswer['body'], response: Writable): Promise<void> {
  // The runtime of Lambda sends the head with the first write, and never with the end.
  if (typeof body === 'string') response.write(body);
  else await body.sendTo(response);
  await endWith(response);
}

/** The same for a last text. Without a reader the end would never come: then the response closes. */
export function endWith(response: Writable, text = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) throw new Error('The response was closed before its end.');
    response.once('error', reject).once('close', () => {
      if (!response.writableFinished) reject(new Error('The response was closed before its end.'));
    });
    response.end(text, resolve);
  });
}
