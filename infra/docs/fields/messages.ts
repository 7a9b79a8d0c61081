/** Descriptions of the fields of a Messages request. */
import type { Fields } from '../describe-fields.ts';
import { extra, model } from './shared.ts';

export const messagesFields: Fields = {
  ...model,
  max_tokens: 'The highest number of tokens to generate, thinking included.',
  messages: 'The conversation.',
  'messages[].role': 'Who wrote the message.',
  'messages[].content': 'A text, or a list of blocks.',
  'messages[].content[].type': 'The type of the block.',
  system: 'Instructions for the model: a text, or a list of text blocks.',
  'system[].type': 'The type of the block: `text`.',
  stream: 'Whether the answer is a stream of server-sent events.',
  ...extra,
  'extra.normalize':
    '`false`: parameters are sent to the provider unchanged, and its errors are returned. Default: true.',
};

export const messagesComponents: Fields = { extra: 'MessageExtra' };
