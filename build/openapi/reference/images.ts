/** The reference of the operations for images. */
import { editsSchema, imagesSchema } from '../../../lib/operations/images/schema.ts';
import { editsFields, extraComponent, imagesFields } from '../fields/others.ts';
import { tagged } from '../operation-reference.ts';

export const imagesReference = tagged('Images', {
  'images-generations': {
    title: 'Generate images',
    summary:
      'Generates images from a prompt. All images of a request are returned, or an error. With `stream: true` the answer is a stream of server-sent events: partial images, if requested, and the final one.',
    schema: imagesSchema,
    fields: imagesFields,
    components: extraComponent,
    request: 'ImagesRequest',
    answer: 'Images',
    event: 'ImageStreamEvent',
  },
  'images-edits': {
    title: 'Edit images',
    summary:
      'Edits one or more images by a prompt. The body is a form with the files, or JSON with their URLs. Answers and streams are the same as for generated images; events are named `image_edit.partial_image` and `image_edit.completed`.',
    schema: editsSchema,
    fields: editsFields,
    components: extraComponent,
    request: 'ImageEditsRequest',
    isForm: true,
    answer: 'Images',
    event: 'ImageStreamEvent',
  },
});
