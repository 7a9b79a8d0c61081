/**
 * Cloud Storage beside the sandbox of Vertex: objects are uploaded whole, read, listed by prefix and deleted. Source: Google Cloud, JSON
 * API of Cloud Storage (objects: insert with uploadType=media, get, list, delete).
 */
import { bucketExists, findObject, listObjects, putObject, removeObject } from '../batches/buckets.ts';
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { refuse } from '../google/refuse.ts';

const pageSize = 1_000;

/** Undefined for a path that is another one. */
export function answerObjects(request: SandboxRequest): SandboxResponse | undefined {
  const { method, query, bytes = Buffer.alloc(0) } = request;
  const [, upload, bucket = '', encoded] =
    /^\/projects\/[^/]+\/locations\/[^/]+\/storage(\/upload)?\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/.exec(
      request.path,
    ) ?? [];
  if (bucket === '') return undefined;
  if (!bucketExists(bucket)) refuse('The specified bucket does not exist.', 404, 'NOT_FOUND');
  if (upload !== undefined) {
    const name = query.get('name') ?? '';
    if (method !== 'POST' || query.get('uploadType') !== 'media' || name === '') refuse('Invalid upload.');
    putObject(bucket, name, bytes);
    return jsonAnswer(describe(bucket, name, bytes));
  }
  if (encoded === undefined) return list(request, bucket);
  const key = decodeURIComponent(encoded);
  const found = findObject(bucket, key);
  if (!found) refuse(`No such object: ${bucket}/${key}`, 404, 'NOT_FOUND');
  if (method === 'DELETE') {
    removeObject(bucket, key);
    return { status: 204, headers: {}, chunks: [] };
  }
  if (query.get('alt') !== 'media') return jsonAnswer(describe(bucket, key, found));
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, chunks: [found] };
}

function list({ query }: SandboxRequest, bucket: string): SandboxResponse {
  const items = listObjects(bucket, query.get('prefix') ?? '').slice(0, pageSize);
  const described = items.map(({ key, bytes }) => describe(bucket, key, bytes));
  return jsonAnswer({ kind: 'storage#objects', ...(items.length > 0 && { items: described }) });
}

const describe = (bucket: string, name: string, bytes: Buffer) => ({
  kind: 'storage#object',
  name,
  bucket,
  size: `${bytes.length}`,
});
