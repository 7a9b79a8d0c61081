/**
 * Files of the Gemini API: uploaded by its resumable protocol, kept for 48 hours, deleted. Sources: ai.google.dev, "Files API" and its
 * reference; @google/genai, `uploadBlob`; for what is refused of files with results, googleapis/python-genai issues 1613 and 1759.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { createKept } from '../batches/kept.ts';
import { jsonAnswer, newId, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { objectOf, textOf } from '../json.ts';
import { refuse } from './refuse.ts';

interface StoredFile {
  /** `files/…`. */
  readonly name: string;
  readonly displayName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly createdAt: number;
  /** Only these can be downloaded. */
  readonly isGenerated: boolean;
}

interface Upload extends Pick<StoredFile, 'displayName' | 'mimeType'> {
  readonly length: number;
  readonly parts: Buffer[];
}

const keptMs = 48 * 3_600_000;
const partUnit = 256 * 1024;
const maxFileBytes = 2_000_000_000;
const maxIdLength = 40;

const files = createKept<StoredFile>(500);
const uploads = createKept<Upload>(100);

/** Undefined for a path that is another one. */
export function answerFiles(request: SandboxRequest): SandboxResponse | undefined {
  const { method, path } = request;
  if (path === '/upload/files' && method === 'POST') {
    const id = request.query.get('upload_id');
    return id === null ? beginUpload(request) : addPart(request, id);
  }
  const [, name = '', action] = /^\/(files\/[^/:]+)(:download)?$/.exec(path) ?? [];
  if (name === '') return undefined;
  if (action !== undefined) return download(request, name);
  if (name.length > 'files/'.length + maxIdLength) {
    const called = method === 'DELETE' ? 'DeleteFileRequest' : 'GetFileRequest';
    refuse(`* ${called}.name: File ID (name excluding 'files/') cannot be more than 40 characters.\n`);
  }
  const file = findFile(request.provider, name);
  if (method === 'GET') return jsonAnswer(describe(file));
  if (method !== 'DELETE') refuse('Method not found.', 404, 'NOT_FOUND');
  files.remove(name);
  return jsonAnswer({});
}

export function findFile(provider: string, name: string): StoredFile {
  const file = files.find(provider, name);
  if (file && file.createdAt + keptMs > Date.now()) return file;
  const message = `You do not have permission to access the File ${name.slice(6)} or it may not exist.`;
  return refuse(message, 403, 'PERMISSION_DENIED');
}

export function keepFile(
  provider: string,
  file: Omit<StoredFile, 'createdAt' | 'name'> & { readonly name?: string },
): StoredFile {
  const name = file.name ?? `files/${newId('').slice(0, 12)}`;
  return files.add(provider, name, { ...file, name, createdAt: Date.now() });
}

function beginUpload({ provider, headers, body }: SandboxRequest): SandboxResponse {
  const protocol = textOf(headers['x-goog-upload-protocol']);
  const command = textOf(headers['x-goog-upload-command']);
  if (protocol !== 'resumable' || command !== 'start') refuse('Unsupported upload protocol or command.');
  const length = Number(headers['x-goog-upload-header-content-length'] ?? Number.NaN);
  if (!(length > 0 && length <= maxFileBytes)) refuse('The size of the file is invalid.');
  const mimeType = textOf(headers['x-goog-upload-header-content-type']);
  const { display_name: snake, displayName = snake } = objectOf(objectOf(body).file);
  const id = newId('');
  uploads.add(provider, id, { displayName: textOf(displayName), mimeType, length, parts: [] });
  const url = `http://${headers.host}/google/upload/v1beta/files?upload_id=${id}&upload_protocol=resumable`;
  return jsonAnswer({}, 200, {
    'x-goog-upload-status': 'active',
    'x-goog-upload-url': url,
    'x-goog-upload-chunk-granularity': `${partUnit}`,
  });
}

function addPart(
  { provider, headers, bytes = Buffer.alloc(0) }: SandboxRequest,
  id: string,
): SandboxResponse {
  const upload = uploads.find(provider, id);
  if (!upload) return refuse('The upload does not exist.', 404, 'NOT_FOUND');
  const { parts, length, displayName, mimeType } = upload;
  const commands = textOf(headers['x-goog-upload-command']).split(/, ?/);
  const received = parts.reduce((sum, part) => sum + part.length, 0);
  if (!commands.includes('upload')) refuse('Unsupported upload command.');
  if (Number(headers['x-goog-upload-offset']) !== received) refuse('The offset of the upload is wrong.');
  const isLast = commands.includes('finalize');
  if (!isLast && bytes.length % partUnit !== 0) refuse('The size of a part must be a multiple of 262144.');
  parts.push(bytes);
  if (!isLast) return jsonAnswer({}, 200, { 'x-goog-upload-status': 'active' });
  uploads.remove(id);
  const all = Buffer.concat(parts);
  if (all.length !== length) refuse('The size of the file is not the one that was announced.');
  const file = keepFile(provider, { displayName, mimeType, bytes: all, isGenerated: false });
  return jsonAnswer({ file: describe(file) }, 200, { 'x-goog-upload-status': 'final' });
}

function download({ provider, query }: SandboxRequest, name: string): SandboxResponse {
  const { bytes, isGenerated } = findFile(provider, name);
  if (!isGenerated) refuse('Only files that were generated can be downloaded.', 400, 'FAILED_PRECONDITION');
  if (query.get('alt') !== 'media') refuse('The content is only served with alt=media.');
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, chunks: [bytes] };
}

function describe({ name, displayName, mimeType, bytes, createdAt, isGenerated }: StoredFile): JsonObject {
  const time = new Date(createdAt).toISOString();
  const hash = createHash('sha256').update(bytes).digest('hex');
  return {
    name,
    displayName,
    mimeType,
    sizeBytes: `${bytes.length}`,
    createTime: time,
    updateTime: time,
    expirationTime: new Date(createdAt + keptMs).toISOString(),
    sha256Hash: Buffer.from(hash).toString('base64'),
    uri: `https://generativelanguage.googleapis.com/v1beta/${name}`,
    state: 'ACTIVE',
    source: isGenerated ? 'GENERATED' : 'UPLOADED',
  };
}
