/** What calls of providers need of the outer world, where a test sends in its own way: no credentials, no media, no shared cache. */
import type { Send } from '../../lib/core/ports/http.ts';
import type { Connections } from '../../lib/pipeline/use/account.ts';

export const connectionsBy = (send: Send): Connections => ({
  send,
  findAccess: async () => ({ settings: {} }),
  fetchMedia: () => Promise.reject(new Error('Nothing is fetched.')),
  sharedCache: {
    find: async () => undefined,
    set: async () => {},
    delete: async () => {},
    claim: async () => false,
  },
  maxCacheSeconds: 3600,
  timeouts: {},
});
