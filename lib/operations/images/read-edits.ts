/** Converts a valid body of an edit, which has files in a form, or URLs in JSON. */
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { checkEditImages } from '../../core/formats/edit-images.ts';
import type { GivenImage, ImageEdit } from '../../core/generation/image.ts';
import type { HeldFile, HeldForm } from '../../core/held-form.ts';
import { type ImagesInput, readRequest } from './read.ts';
import { type EditsBody, maxInputImages } from './schema.ts';

export const editsForm: HeldForm = {
  files: { image: maxInputImages, mask: 1, markup: 1 },
  values: {
    n: 'number',
    output_compression: 'number',
    frame_count: 'number',
    frame_duration_ms: 'number',
    partial_images: 'number',
    stream: 'flag',
    provider: 'object',
    usage: 'object',
    extra: 'object',
  },
};

export function readEdits(body: EditsBody): ImagesInput {
  const edit = readEdit(body);
  checkEditImages(edit);
  const { request, ...input } = readRequest(body, ['input_fidelity']);
  return { ...input, request: { ...request, edit } };
}

function readEdit({ image: files, images: links, mask, markup }: EditsBody): ImageEdit {
  if (files && links) throw invalid('images', "cannot be given beside 'image'");
  if (mask && markup) throw invalid('markup', "cannot be given beside 'mask'");
  const isOne = files?.length === 1;
  const images = [
    ...(files ?? []).map((file, index) => readImage(isOne ? 'image' : `image.${index}`, file)),
    ...(links ?? []).map((link, index) => readImage(`images.${index}.image_url`, link)),
  ];
  if (images.length === 0)
    throw new GatewayError('invalid_request', "Missing required parameter: 'image'.", { param: 'image' });
  return {
    images,
    ...(mask && { mask: readOverlay('mask', mask) }),
    ...(markup && { markup: readOverlay('markup', markup) }),
  };
}

interface Link {
  readonly image_url: string;
}

function readOverlay(name: string, given: readonly HeldFile[] | Link): GivenImage {
  if ('image_url' in given) return readImage(`${name}.image_url`, given);
  const [file] = given;
  if (!file) throw invalid(name, 'must be one file');
  return readImage(name, file);
}

const dataUrl = /^data:[^,]{0,100};base64,/i;

function readImage(path: string, given: HeldFile | Link): GivenImage {
  if ('bytes' in given) return { path, bytes: given.bytes };
  const { image_url: url } = given;
  if (/^https:/i.test(url)) return { path, url };
  const [head] = dataUrl.exec(url) ?? [];
  if (head === undefined) throw invalid(path, 'must be an https URL, or a data URL in base64');
  return { path, bytes: Buffer.from(url.slice(head.length), 'base64') };
}
