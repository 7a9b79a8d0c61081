/** The answers of image generation and editing. */
import * as z from 'zod';
import { choice, costInUsage, count, debug, list, named, object, text, unixSeconds } from './shared.ts';

const imageEcho = {
  background: text('The background of the images.').optional(),
  output_format: text('Their file format.').optional(),
  quality: text('Their quality.').optional(),
  size: text('Their size.').optional(),
};

const imageUsage = object('Token counts, when the provider reports them.', {
  input_tokens: count('Tokens of the prompt.'),
  input_tokens_details: object('Parts of `input_tokens`.', {
    text_tokens: count('Of text.'),
    image_tokens: count('Of images.'),
    cached_tokens: count('Read from a cache.'),
  }),
  output_tokens: count('Tokens of the images.'),
  output_tokens_details: object('Parts of `output_tokens`.', {
    image_tokens: count('Of images.'),
    text_tokens: count('Of text.'),
  }),
  total_tokens: count('Both together.'),
  cost: costInUsage,
}).optional();

const imageFile = text('The image file, as base64.');

export const images = named('Images', 'Generated images.', {
  created: unixSeconds,
  ...imageEcho,
  usage: imageUsage,
  debug,
  data: list(z.object({ b64_json: imageFile }), 'The images.'),
});

export const imageStreamEvent = named(
  'ImageStreamEvent',
  'An image of a stream: unfinished, or the last one.',
  {
    type: choice(
      [
        'image_generation.partial_image',
        'image_generation.completed',
        'image_edit.partial_image',
        'image_edit.completed',
      ],
      'What the event is. Only the last one is `completed`: a stream without it has failed.',
    ),
    created_at: unixSeconds,
    ...imageEcho,
    partial_image_index: count('Which of the unfinished images it is, from 0.').optional(),
    usage: imageUsage,
    debug,
    b64_json: imageFile,
  },
);
