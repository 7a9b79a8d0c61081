/** Reads a form (`multipart/form-data`) that is in memory: what a JSON body would have, with its files beside. */
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { HeldFile, HeldForm } from '../../core/held-form.ts';
import type { HttpRequest } from '../request/http-request.ts';
import { createFormFields } from './form-fields.ts';
import { brokenForm, checkFormHead, openForm } from './open-form.ts';

/** @throws GatewayError 400 for a form that is wrong; it names the field. */
export type ReadHeldForm = (
  request: HttpRequest,
  form: HeldForm,
) => Promise<Readonly<Record<string, unknown>>>;

const maxParts = 64;
const maxNameLength = 64;
/** Of a field, in bytes. */
const maxTextBytes = 128 * 1024;

interface ArrivedFile extends Omit<HeldFile, 'bytes'> {
  readonly name: string;
  readonly chunks: readonly Buffer[];
}

export const readHeldForm: ReadHeldForm = async (request, form) => {
  checkFormHead(request, 'The request body must be a form or JSON.');
  const { files, values, longTexts = {} } = form;
  const fields = createFormFields(values);
  const arrived: ArrivedFile[] = [];
  const fieldSize = Math.max(maxTextBytes, ...Object.values(longTexts));
  const busboy = openForm(request, { parts: maxParts, fieldSize });
  await new Promise((resolve, reject) => {
    busboy
      .on('error', () => reject(brokenForm()))
      .on('partsLimit', () => reject(tooManyParts()))
      // A part need not have a name.
      .on('field', (name = '', value, _, isCut) => {
        try {
          const base = baseOf(name);
          if (Object.hasOwn(files, base)) throw invalid(base, 'must be a file: its part has a filename');
          const max = longTexts[base] ?? maxTextBytes;
          if (isCut || Buffer.byteLength(value) > max) throw invalid(base, `must have at most ${max} bytes`);
          fields.add(name, value);
        } catch (thrown) {
          reject(thrown);
        }
      })
      .on('file', (name = '', bytes, filename = '', _, type) => {
        const chunks: Buffer[] = [];
        arrived.push({ name, filename, type, chunks });
        bytes.on('error', () => {}).on('data', (chunk: Buffer) => chunks.push(chunk));
      })
      .once('finish', resolve);
    busboy.end(Buffer.from(request.body));
    request.leaveBody?.();
  });
  return { ...fields.read(), ...Object.fromEntries(filesOf(arrived, form)) };
};

function filesOf(
  arrived: readonly ArrivedFile[],
  { files }: HeldForm,
): ReadonlyMap<string, readonly HeldFile[]> {
  const found = new Map<string, HeldFile[]>();
  for (const { name, chunks, ...file } of arrived) {
    const base = baseOf(name);
    const max = (Object.hasOwn(files, base) && files[base]) || 0;
    const names = Object.keys(files).join("', '");
    if (max === 0) throw invalid(base, `must not be a file: files are '${names}'`);
    const list = found.get(base) ?? [];
    if (list.length === max)
      throw invalid(base, max === 1 ? 'must be one file' : `must be at most ${max} files`);
    const bytes = Buffer.concat(chunks);
    if (bytes.length === 0) throw invalid(base, 'must not be empty');
    found.set(base, [...list, { ...file, bytes }]);
  }
  return found;
}

/** The name without brackets. */
function baseOf(name: string): string {
  const base = name.slice(0, maxNameLength).replace(/\[.*$/s, '');
  if (name.length <= maxNameLength && base !== '') return base;
  const message = `A part of the form must have a name of at most ${maxNameLength} characters.`;
  throw new GatewayError('invalid_request', message);
}

const tooManyParts = () => new GatewayError('invalid_request', `The form has more than ${maxParts} parts.`);
