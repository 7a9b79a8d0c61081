/**
 * The files of the OpenAI protocol. Sources: `resources/files.ts` in openai 7.55 (npm), and OpenAI's API reference, Files; for the
 * other hosts, those of their rows in `shapes.ts`.
 */
import { createKept } from '../../batches/kept.ts';
import { readForm } from '../../batches/multipart.ts';
import { jsonAnswer, newId, type SandboxRequest, type SandboxResponse } from '../../exchange.ts';
import { textOf } from '../../json.ts';
import { refuse, refuseMissing, refuseValue } from '../refuse.ts';

export interface FileRules {
  /** Where files are uploaded; absent: at `/files`. */
  readonly upload?: string;
  readonly purposes: readonly string[];
  /** Fields of the form that it requires besides. */
  readonly requires?: readonly string[];
  /** The fields that say when a file expires, and which seconds it takes. Absent: files do not expire. */
  readonly expiry?: {
    readonly anchor: string;
    readonly seconds: string;
    readonly min: number;
    readonly max: number;
  };
  /** What was uploaded cannot be downloaded. */
  readonly onlyOutputs?: true;
  /** The object has no purpose. */
  readonly withoutPurpose?: true;
}

interface SandboxFile {
  readonly id: string;
  readonly filename: string;
  readonly purpose: string;
  readonly bytes: Buffer;
  readonly createdAt: number;
  readonly expiresAt?: number;
}

const maxKept = 1_000;

const kept = createKept<SandboxFile>(maxKept);

export const outputPurpose = 'batch_output';

export const now = (): number => Math.floor(Date.now() / 1_000);

export const findFile = (provider: string, id: string): SandboxFile | undefined => kept.find(provider, id);

export const addFile = (
  provider: string,
  file: Pick<SandboxFile, 'bytes' | 'expiresAt' | 'filename' | 'purpose'>,
): SandboxFile => {
  const id = newId('file-');
  return kept.add(provider, id, { ...file, id, createdAt: now() });
};

export const isFilePath = (path: string): boolean => path === '/files' || path.startsWith('/files/');

export function answerFiles(request: SandboxRequest, rules: FileRules): SandboxResponse {
  const { method, path, provider, query } = request;
  const write = (file: SandboxFile) => objectOf(file, rules);
  if (method === 'POST' && path === (rules.upload ?? '/files'))
    return jsonAnswer(write(addFile(provider, readUpload(request, rules))));
  const [, , id = '', part] = path.split('/');
  if (method === 'GET' && id === '') {
    const purpose = query.get('purpose');
    const data = kept.list(provider).filter((file) => purpose === null || file.purpose === purpose);
    return jsonAnswer({ object: 'list', data: data.map(write), has_more: false });
  }
  const file = kept.find(provider, id);
  // Source of the words: onyx-dot-app and others quote "No such File object".
  if (file === undefined) refuse(`No such File object: ${id}`, 'id', null, 404);
  if (method === 'GET' && part === undefined) return jsonAnswer(write(file));
  if (method === 'GET' && part === 'content') return contentOf(file, rules);
  if (method !== 'DELETE') refuse(`Invalid URL (${method} ${path})`, null, null, 404);
  kept.remove(id);
  return jsonAnswer({ id, object: 'file', deleted: true });
}

function contentOf(file: SandboxFile, { onlyOutputs }: FileRules): SandboxResponse {
  if (onlyOutputs && file.purpose !== outputPurpose) refuse('The file cannot be downloaded.', 'file_id');
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, chunks: [file.bytes] };
}

function readUpload({ headers, bytes }: SandboxRequest, rules: FileRules) {
  const form = readForm(textOf(headers['content-type']), bytes ?? Buffer.alloc(0));
  if (form === undefined) refuse('Could not parse multipart form.');
  const field = (name: string) => form.find((part) => part.name === name)?.bytes.toString('utf8') ?? '';
  const file = form.find((part) => part.name === 'file');
  if (file?.filename === undefined) refuseMissing('file');
  for (const name of ['purpose', ...(rules.requires ?? [])]) if (field(name) === '') refuseMissing(name);
  const purpose = field('purpose');
  if (!rules.purposes.includes(purpose)) refuseValue(purpose, 'purpose', rules.purposes);
  // Source of the words: the tests of several clients have this answer of OpenAI's, such as SAP's and Langchain4j's.
  if (purpose.startsWith('batch') && !file.filename.endsWith('.jsonl'))
    refuse('Invalid file format for Batch API. Must be .jsonl');
  return { filename: file.filename, purpose, bytes: file.bytes, ...readExpiry(field, rules) };
}

function readExpiry(field: (name: string) => string, { expiry }: FileRules): { expiresAt?: number } {
  if (expiry === undefined || field(expiry.seconds) === '') return {};
  const seconds = Number(field(expiry.seconds));
  if (field(expiry.anchor) !== 'created_at') refuseValue(field(expiry.anchor), expiry.anchor, ['created_at']);
  if (!(seconds >= expiry.min && seconds <= expiry.max))
    refuse(`Invalid '${expiry.seconds}': must be from ${expiry.min} to ${expiry.max}.`, expiry.seconds);
  return { expiresAt: now() + seconds };
}

const objectOf = (
  { id, filename, purpose, bytes, createdAt, expiresAt }: SandboxFile,
  { withoutPurpose }: FileRules,
) => ({
  id,
  object: 'file',
  bytes: bytes.length,
  created_at: createdAt,
  filename,
  purpose: withoutPurpose ? '' : purpose,
  status: 'processed',
  ...(expiresAt !== undefined && { expires_at: expiresAt }),
});
