/**
 * Files that a target does not take as files. Text files become text, which every model reads; other types than those
 * that the provider documents are refused by name. A PDF needs a model that reads PDFs, which the plan has checked.
 */
import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isTextType, maxTextBytes, officeEnding, pdfType } from '../../core/formats/file-type.ts';
import { pathOf, source } from '../../core/generation/original/source.ts';
import type {
  ContentPart,
  FilePart,
  Message,
  TextPart,
  ToolMessage,
  UserMessage,
} from '../../core/generation/request.ts';
import { type Change, overridden, type Repaired } from '../rule.ts';

/** `taken`: the types that the provider takes as files, beside PDF. Throws GatewayError `invalid_request`. */
export function adaptFiles(given: readonly Message[], target: Target, taken: readonly string[]): Repaired {
  if (!given.some(hasFile)) return { messages: given, changes: [] };
  const changes: Change[] = [];
  const adapt = (part: ContentPart): ContentPart => {
    if (part.type !== 'file') return part;
    const { mediaType = pdfType } = part;
    if (mediaType === pdfType || taken.includes(mediaType)) return part;
    if (!isTextType(mediaType)) throw notTaken(part, mediaType, target, taken);
    changes.push(becameText(part, mediaType));
    return asText(part);
  };
  const messages = given.map((message): Message => {
    if (!hasFile(message)) return message;
    return { ...message, content: message.content.map(adapt) };
  });
  return { messages, changes };
}

/** Only callers and tools can give files. */
const hasFile = (message: Message): message is UserMessage | ToolMessage =>
  (message.role === 'user' || message.role === 'tool') && message.content.some(({ type }) => type === 'file');

/** A link is fetched when the target is called. */
function asText(part: FilePart): ContentPart {
  const base64 = /^data:[^,]*,/i.exec(part.url.slice(0, 1024))?.[0];
  if (base64 === undefined) return { ...part, asText: true };
  return textOfFile(part, Buffer.from(part.url.slice(base64.length), 'base64'));
}

/** The text of a file, with its name. Throws GatewayError `invalid_request` for bytes that are no text, and too many. */
export function textOfFile(part: FilePart, bytes: Uint8Array): TextPart {
  if (bytes.byteLength > maxTextBytes) {
    throw unreadable(part, `is a text file of more than ${maxTextBytes / (1024 * 1024)} MB`);
  }
  const { filename = 'file', cacheControl, [source]: from } = part;
  const name = filename.replace(/["<>\r\n]/g, '_');
  const text = `<file name="${name}">\n${decode(part, bytes)}\n</file>`;
  return { type: 'text', text, ...(cacheControl && { cacheControl }), ...(from && { [source]: from }) };
}

function decode(part: FilePart, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw unreadable(part, 'is a text file that is not valid UTF-8');
}

function unreadable(part: FilePart, problem: string): GatewayError {
  const param = pathOf(part, 'url');
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}

function notTaken(
  part: FilePart,
  mediaType: string,
  { model }: Target,
  taken: readonly string[],
): GatewayError {
  const others = taken.flatMap((type) => officeEnding(type) ?? []);
  const list = ['pdf', 'text files', ...others].join(', ');
  const kind = officeEnding(mediaType) ?? mediaType;
  const message = `The provider of the model '${model.id}' does not accept ${kind} files. It accepts: ${list}.`;
  return new GatewayError('invalid_request', message, { param: pathOf(part), code: 'unsupported_modality' });
}

function becameText(part: FilePart, mediaType: string): Change {
  return overridden(
    pathOf(part),
    { type: 'file', media_type: mediaType },
    { type: 'text' },
    'The provider takes no files of this type. The text of the file is sent.',
  );
}
