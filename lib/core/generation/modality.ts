/** The input modality that a model must have for a part of a conversation. */
import { pdfType } from '../formats/file-type.ts';
import type { ContentPart } from './request.ts';

/** Undefined for what every model takes. Files that are no PDF need none: most become text, and a rule refuses the others. */
export function modalityOf(part: ContentPart): string | undefined {
  if (part.type === 'text') return undefined;
  if (part.type !== 'file') return part.type;
  return (part.mediaType ?? pdfType) === pdfType ? 'pdf' : undefined;
}
