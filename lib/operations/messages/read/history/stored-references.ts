/**
 * What a request refers to that is stored in the operator's account at Anthropic. All tenants share this account, so a reference is
 * refused for every target: a tenant could name what another one has stored. Containers are checked in `endpoint.ts`.
 */
import { GatewayError } from '../../../../core/errors/errors.ts';
import { invalid } from '../../../../core/errors/invalid.ts';
import { isJsonObject, objectsIn } from '../../../../core/formats/json-object.ts';
import type { MessagesBody } from '../schema.ts';

/** `path`: that of the block. */
export function storedFile(path: string): GatewayError {
  return invalid(`${path}.source.file_id`, 'is not supported: send the file itself, or its URL');
}

type Given = Pick<MessagesBody, 'container' | 'thread'>;

/** @throws GatewayError `invalid_request`. */
export function checkStoredReferences({ container, thread }: Given): void {
  if (thread) throw storedThread();
  if (!isJsonObject(container)) return;
  const own = objectsIn(container.skills).findIndex(({ type }) => type !== 'anthropic');
  if (own >= 0) {
    throw invalid(
      `container.skills.${own}.type`,
      "must be 'anthropic': skills of your own are not supported",
    );
  }
}

/**
 * With the details by which the tool runners of Anthropic's SDKs, which ask for a thread by default, go on without one. Source:
 * `unsupportedFeatures` in lib/internal/threads/ThreadState of @anthropic-ai/sdk 1.12.
 */
const storedThread = (): GatewayError =>
  new GatewayError('invalid_request', "'thread' is not supported: send the whole conversation.", {
    param: 'thread',
    anthropic: { errorCode: 'thread_unsupported_request', unsupported: ['thread'] },
  });

/**
 * In a block that the gateway does not read, such as the result of a tool that Anthropic runs, at any depth. The input of a call is the
 * caller's own: it may hold anything.
 *
 * @throws GatewayError `invalid_request`.
 */
export function checkStoredFiles(block: object, path: string): void {
  const { type, source, input: _, ...members } = block as Readonly<Record<string, unknown>>;
  if (type === 'container_upload') {
    throw invalid(`${path}.file_id`, 'is not supported: files cannot be stored at Anthropic');
  }
  if (isJsonObject(source) && source.type === 'file') throw storedFile(path);
  for (const [name, value] of Object.entries({ ...members, source })) {
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) {
        if (isJsonObject(one)) checkStoredFiles(one, `${path}.${name}.${index}`);
      }
    } else if (isJsonObject(value)) checkStoredFiles(value, `${path}.${name}`);
  }
}
