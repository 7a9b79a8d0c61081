/** Waits on a port of this machine for the browser to come back from the issuer. */
import { createServer, type Server } from 'node:http';
import { loopbackCallbacks } from '../../lib/core/admin/loopback-callbacks.ts';

/** How long a person has to sign in. */
const signInMs = 300_000;

interface Loopback {
  /** One of those that are registered at the issuer. */
  readonly redirectUri: string;
  /** The address that the browser came back to. Rejects after five minutes. */
  readonly returned: Promise<URL>;
  close(): void;
}

/** Listens on the first registered port that is free. Rejects if none is. */
export async function listenForBrowser(): Promise<Loopback> {
  for (const redirectUri of loopbackCallbacks) {
    const { promise: returned, resolve, reject } = Promise.withResolvers<URL>();
    const servers = await listen(redirectUri, resolve);
    if (servers.length === 0) continue;
    const timer = setTimeout(() => reject(new Error('No one signed in within five minutes.')), signInMs);
    const close = () => {
      clearTimeout(timer);
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    };
    return { redirectUri, returned, close };
  }
  const ports = loopbackCallbacks.map((address) => new URL(address).port).join(', ');
  throw new Error(`The ports ${ports} of this machine are in use: free one of them to sign in.`);
}

/** Browsers take `localhost` for either of the two addresses of this machine. None if the port is in use. */
async function listen(redirectUri: string, returned: (url: URL) => void): Promise<readonly Server[]> {
  const { port, pathname } = new URL(redirectUri);
  const started = await Promise.allSettled(
    ['127.0.0.1', '::1'].map((host) => {
      const server = createServer((request, response) => {
        const url = URL.parse(request.url ?? '', redirectUri);
        const isCallback = request.method === 'GET' && url?.pathname === pathname;
        response.writeHead(isCallback ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(isCallback ? 'You can close this window and return to the terminal.\n' : 'Not found.\n');
        if (isCallback && url) returned(url);
      });
      return new Promise<Server>((resolve, reject) => {
        server.once('error', reject);
        server.listen(Number(port), host, () => resolve(server));
      });
    }),
  );
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const isUsed = started.some((one) => one.status === 'rejected' && one.reason?.code === 'EADDRINUSE');
  if (!isUsed) return servers;
  for (const server of servers) server.close();
  return [];
}
