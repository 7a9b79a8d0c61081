/**
 * The buckets beside the sandbox of Bedrock, by path: objects are written whole, read, listed by prefix and deleted. Sources: AWS, S3 API
 * reference, PutObject, GetObject, ListObjectsV2, DeleteObject, and its error codes; sig-v4-header-based-auth.
 */
import { bucketExists, findObject, listObjects, putObject, removeObject } from '../batches/buckets.ts';
import type { SandboxRequest, SandboxResponse } from '../exchange.ts';
import { textOf } from '../json.ts';

/** Undefined for a path that is another one. */
export function answerObjects(request: SandboxRequest): SandboxResponse | undefined {
  const [, bucket = '', key = ''] = /^\/s3\/([^/]+)(?:\/(.*))?$/.exec(request.path) ?? [];
  if (bucket === '') return undefined;
  return refusal(request, bucket) ?? answer(request, bucket, key);
}

/** A key of Bedrock opens no bucket. */
function refusal({ headers }: SandboxRequest, bucket: string): SandboxResponse | undefined {
  const isSigned =
    /^AWS4-HMAC-SHA256 [^,]{1,200}\/s3\/aws4_request, ?[^,]{1,200}, ?Signature=[\da-f]{64}$/.test(
      textOf(headers.authorization),
    );
  if (!isSigned) return failure(403, 'AccessDenied', 'Access Denied');
  if (headers['x-amz-content-sha256'] === undefined) {
    return failure(400, 'InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  return bucketExists(bucket)
    ? undefined
    : failure(404, 'NoSuchBucket', 'The specified bucket does not exist');
}

function answer({ method, query, bytes = Buffer.alloc(0) }: SandboxRequest, bucket: string, key: string) {
  if (method === 'PUT' && key !== '') {
    putObject(bucket, key, bytes);
    return { status: 200, headers: {}, chunks: [] };
  }
  if (method === 'DELETE' && key !== '') {
    removeObject(bucket, key);
    return { status: 204, headers: {}, chunks: [] };
  }
  if (method !== 'GET') return failure(405, 'MethodNotAllowed', 'The specified method is not allowed.');
  if (key === '') return list(bucket, query.get('prefix') ?? '');
  const found = findObject(bucket, key);
  if (!found) return failure(404, 'NoSuchKey', 'The specified key does not exist.');
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, chunks: [found] };
}

function list(bucket: string, prefix: string): SandboxResponse {
  const found = listObjects(bucket, prefix);
  const contents = found.map(
    ({ key, bytes }) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`,
  );
  const head = `<Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${found.length}</KeyCount>`;
  const rest = `<MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${contents.join('')}`;
  return xml(200, `<ListBucketResult>${head}${rest}</ListBucketResult>`);
}

const failure = (status: number, code: string, message: string): SandboxResponse =>
  xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);

const xml = (status: number, body: string): SandboxResponse => ({
  status,
  headers: { 'content-type': 'application/xml' },
  chunks: [`<?xml version="1.0" encoding="UTF-8"?>\n${body}`],
});
