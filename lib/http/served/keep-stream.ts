/** A stream that its caller can read on, while it is served. */
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { CreateStream } from '../../core/ports/resumable-streams.ts';
import { startResumable } from '../resumable.ts';
import type { ServedRequest } from './served-request.ts';

/** From now on, the request goes on when its caller has left. */
export function keepStream(served: ServedRequest, key: FoundApiKey, createStream: CreateStream): void {
  const { operation, parts, host } = served;
  const stream = { tenant: key.tenant, operation: operation.name };
  const create = () => createStream(stream);
  served.resumable = startResumable({ key, create, log: parts.log, memory: host.memory });
  served.deadline.outliveCaller();
}
