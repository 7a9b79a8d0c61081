/**
 * The containers in which Anthropic ran code. All tenants share the operator's account there, so a container may be used again only by
 * the tenant for whom it was made, which the shared cache remembers.
 */
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { MessagesInput } from './read/read.ts';

/** Anthropic deletes a container after 30 days. Source: platform.claude.com, "Code execution tool". */
const containerLifetimeMs = 30 * 24 * 3_600_000;

/** Longer ids, and ids of another form, are not Anthropic's. In characters. */
const maxContainerIdLength = 200;

type Asking = Pick<Call<MessagesInput>, 'input' | 'key'>;

/** Undefined: no container has this id. */
function keyOf({ key }: Asking, id: string): string | undefined {
  const isId = id.length <= maxContainerIdLength && /^[\w-]+$/.test(id);
  return isId ? `container ${key?.tenant ?? ''} ${id}` : undefined;
}

/** @throws GatewayError `invalid_request` for a container that was not made for the tenant of the call. */
export async function checkContainer({ connections }: PipelineParts, call: Asking): Promise<void> {
  const { container } = call.input;
  if (!container) return;
  const key = keyOf(call, container.id);
  const found = key && (await connections.sharedCache.find(key, { isFresh: true }));
  if (found !== undefined) return;
  const { path: param } = container;
  const message = `'${param}' is not the id of a container of yours, or it has expired. Leave it out to get a new one.`;
  throw new GatewayError('invalid_request', message, { param });
}

/** The tenant of the call may use the container from now on. */
export async function noteContainer({ connections }: PipelineParts, call: Asking, id: string): Promise<void> {
  const key = keyOf(call, id);
  if (key) await connections.sharedCache.set(key, '', containerLifetimeMs);
}
