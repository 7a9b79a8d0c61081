/**
 * Reads a form with one file (`multipart/form-data`), which is stored while it comes: no more of it is in memory than is on its way.
 * What fails leaves nothing of it.
 */
import type { Readable } from 'node:stream';
import type { FileForm, ReceivedFile } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { HttpRequest } from '../request/http-request.ts';
import { brokenForm, checkFormHead, missingField, openForm } from './open-form.ts';

export interface ReceivedForm {
  /** `a[b]` is the member `b` of `a`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile;
  /** Deletes the file. Never rejects. */
  discard(): Promise<void>;
}

interface FormCaller {
  readonly key: FoundApiKey;
  readonly signal: AbortSignal;
}

/** @throws GatewayError 415 for another body, 400 for a form that is wrong, 413 for a file that is too large, and as the file is stored. */
export type ReadForm = (request: HttpRequest, form: FileForm, caller: FormCaller) => Promise<ReceivedForm>;

/** Of one field, and of all, with what is between them. */
const maxFieldBytes = 4_096;
const maxFields = 16;
const maxBesideFile = 128 * 1024;

const limits = { fields: maxFields, fieldSize: maxFieldBytes, parts: maxFields + 2 };

export const readForm: ReadForm = async (request, form, { key, signal }) => {
  checkHead(request, form);
  const failed = Promise.withResolvers<never>();
  const fail = failed.reject;
  failed.promise.catch(() => {});
  const leave = () => fail(signal.reason);
  signal.addEventListener('abort', leave);
  const fields = new Map<string, unknown>();
  let arriving: Readable | undefined;
  let stored: Promise<ReceivedFile> | undefined;
  const busboy = openForm(request, limits)
    .on('error', () => fail(brokenForm()))
    .on('fieldsLimit', () => fail(new GatewayError('invalid_request', 'The form has too many fields.')))
    // A part need not have a name.
    .on('field', (name = '', value, _, isCut) => {
      if (isCut) fail(invalid(name.slice(0, 64), `must have at most ${maxFieldBytes} bytes`));
      else if (name === form.field)
        fail(invalid(name, 'must be a file: its part of the form has a filename'));
      else addField(fields, name, value);
    })
    .on('file', (name = '', bytes, filename) => {
      bytes.on('error', () => {});
      if (name !== form.field)
        return fail(invalid(name.slice(0, 64), `must not be a file: it is '${form.field}'`));
      if (stored) return fail(invalid(name, 'must be one file'));
      arriving = bytes;
      const file = { filename: filename || 'file', bytes: bounded(bytes, form) };
      stored = form.store(file, key, request.pathParameters);
      stored.catch(fail);
    });
  const finished = new Promise((resolve) => busboy.once('finish', resolve));
  try {
    for await (const chunk of bodyOf(request))
      await Promise.race([new Promise((resolve) => busboy.write(chunk, resolve)), failed.promise]);
    busboy.end();
    await Promise.race([finished, failed.promise]);
    if (!stored) throw missingField(form.field);
    const file = await stored;
    return { fields: Object.fromEntries(fields), file, discard: () => form.discard(file).catch(() => {}) };
  } catch (thrown) {
    arriving?.destroy(thrown instanceof Error ? thrown : brokenForm());
    await stored?.then(form.discard).catch(() => {});
    throw thrown;
  } finally {
    signal.removeEventListener('abort', leave);
  }
};

function checkHead(request: HttpRequest, { field, maxBytes }: FileForm): void {
  const message = `The request body must be a form with the file '${field}': its Content-Type is multipart/form-data with a boundary.`;
  checkFormHead(request, message);
  if (Number(request.header('content-length') ?? 0) > maxBytes + maxBesideFile)
    throw tooLarge(field, maxBytes);
}

async function* bodyOf({ arriving, body }: HttpRequest): AsyncGenerator<Uint8Array> {
  if (arriving) yield* arriving;
  else yield Buffer.from(body);
}

async function* bounded(bytes: Readable, { field, maxBytes }: FileForm): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(field, maxBytes);
      yield chunk;
    }
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : brokenForm();
  }
}

function addField(fields: Map<string, unknown>, name: string, value: string): void {
  const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
  if (outer === undefined || inner === undefined) fields.set(name, value);
  else fields.set(outer, { ...(fields.get(outer) as object | undefined), [inner]: value });
}

const tooLarge = (field: string, maxBytes: number) =>
  new GatewayError('payload_too_large', `'${field}' must have at most ${maxBytes} bytes.`, { param: field });
