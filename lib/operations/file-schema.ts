/** A file in a message, as callers of chat and Responses write it: its bytes, or where they are. */
import * as z from 'zod/mini';
import { fileTypeOf, isKnownFileType, pdfType } from '../core/formats/file-type.ts';
import { nullishText } from './request-schema.ts';

export const fileFields = () => ({
  file_id: z.optional(z.null("is not supported: send the file in 'file_data' or its URL in 'file_url'")),
  filename: nullishText,
  /** A data URL, base64 whose type the name says, or a URL, as routers take it. */
  file_data: nullishText,
  file_url: z.optional(z.nullable(z.string().check(z.regex(/^https?:\/\//i, 'must be an https URL')))),
});

type FileBody = z.infer<
  z.ZodMiniObject<Pick<ReturnType<typeof fileFields>, 'filename' | 'file_data' | 'file_url'>>
>;

interface ReadFile {
  /** `https:` or `data:`. */
  readonly url: string;
  /** The field that has it. */
  readonly field: 'file_data' | 'file_url';
  readonly filename?: string;
  readonly mediaType: string;
}

const taken =
  'PDF, text files (such as txt, md, csv, json, xml, source code), doc, docx, xls, xlsx, ppt, pptx, odt';

/** The checks of a file's fields together, for its schema. */
export const fileChecks = [
  z.refine<FileBody>((file) => (file.file_data == null) !== (file.file_url == null), {
    error: "must have exactly one of 'file_data' and 'file_url'",
  }),
  z.refine<FileBody>((file) => file.file_data == null || urlOf(file) !== undefined, {
    error: "must be a 'data:<type>;base64,' URL, or base64 with a 'filename' whose ending says its type",
    path: ['file_data'],
  }),
  z.refine<FileBody>((file) => isKnownFileType(typeOf(file)), {
    error: `is a file of a type that is not supported. Supported are: ${taken}`,
    path: ['file_data'],
  }),
] as const;

/** A file whose fields have passed the checks. */
export function readFile(file: FileBody): ReadFile {
  const { filename, file_data: data } = file;
  const mediaType = typeOf(file);
  return {
    // A sender that does not know the type may have written another one.
    url: (urlOf(file) ?? '').replace(/^data:[^,;]*/i, `data:${mediaType}`),
    field: data == null ? 'file_url' : 'file_data',
    ...(filename != null && { filename }),
    mediaType,
  };
}

function typeOf(file: FileBody): string {
  return fileTypeOf({ url: urlOf(file) ?? '', filename: file.filename ?? undefined });
}

/** Undefined for what is neither a URL nor base64 of a known type. Looks only at the head of what may be many megabytes. */
function urlOf({ file_data: data, file_url: link, filename }: FileBody): string | undefined {
  if (data == null) return link ?? undefined;
  if (/^(https?:\/\/|data:[^,]{0,200};base64,.)/i.test(data)) return data;
  const type = fileTypeOf({ url: 'data:,', filename: filename ?? undefined });
  const isSaid = type !== pdfType || /\.pdf$/i.test(filename ?? '') || data.startsWith(pdfHead);
  return isSaid && /^[A-Za-z0-9+/]{4}/.test(data) ? `data:${type};base64,${data}` : undefined;
}

/** `%PDF` in base64. */
const pdfHead = 'JVBERi';
