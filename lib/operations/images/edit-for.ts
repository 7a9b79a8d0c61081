/** What a target can do of an edit. A mask says which part is edited: without it, the image would be another one. */
import type { EditTraits, Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { ImageEdit } from '../../core/generation/image.ts';
import { type Change, stripped } from '../../normalization/rule.ts';
import { maxInputImages } from './schema.ts';

/** @throws GatewayError 400 for a target that does not edit these images, or not with this mask. */
export function checkEdit({ model }: Target, { images, mask }: ImageEdit): EditTraits {
  const { edits } = model.traits.image ?? {};
  if (!edits)
    throw new GatewayError('unsupported_operation', `The model '${model.id}' does not edit images.`, {
      param: 'model',
    });
  const { maxInputs = maxInputImages, masks = false } = edits;
  const excess = images[maxInputs];
  if (excess)
    throw invalid(excess.path, `is one too many: the model '${model.id}' takes ${maxInputs} images`);
  if (mask && !masks) throw invalid(mask.path, `is not supported by the model '${model.id}'`);
  return edits;
}

/** The edit as the target takes it, and what was left out. @throws as `checkEdit`. */
export function editFor(
  target: Target,
  edit: ImageEdit,
): { readonly edit: ImageEdit; readonly changes: readonly Change[] } {
  const { markup: takesMarkup = false } = checkEdit(target, edit);
  const { markup, ...others } = edit;
  if (!markup || takesMarkup) return { edit, changes: [] };
  return {
    edit: others,
    changes: [stripped('markup', 'a file', 'The model does not support this parameter.')],
  };
}
