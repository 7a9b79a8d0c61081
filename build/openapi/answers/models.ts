/** The models, as they are listed. */
import * as z from 'zod';
import { modelStatuses } from '../../../lib/core/catalog/model.ts';
import { endpoints } from '../../../lib/core/catalog/model-endpoints.ts';
import { lifecycles } from '../../../lib/operations/models/model-object.ts';
import { always, choice, flag, integer, list, named, nullable, object, text, unixSeconds } from './shared.ts';

export const model = named('Model', 'A model.', {
  id: text('`owner/model`, or the name of an alias.'),
  object: always('model'),
  created: unixSeconds,
  owned_by: text('The owner; `operator` for an alias.'),
  status: choice(modelStatuses, '`deprecated` models answer; `inactive` and `retired` ones do not.'),
  modalities: object('Kinds of content.', {
    input: list(z.string(), 'What it accepts.'),
    output: list(z.string(), 'What it returns.'),
  }),
  endpoints: list(z.enum(endpoints), 'The operations that it supports.'),
  aliases: list(
    z.string(),
    'Further names of the model, such as dated snapshots, without the owner.',
  ).optional(),
  targets: list(z.string(), 'Of an alias of the operator: the ids of its models.').optional(),
  type: z.literal('model').describe("Always `model`. This field and those below are for Anthropic's SDKs."),
  display_name: text(
    'A name for people: the id without the owner, with spaces and capitals (`claude-opus-4-5`: "Claude Opus 4.5"). Of an alias, its name.',
  ),
  created_at: text('`created` as a time (RFC 3339).'),
  lifecycle: choice(lifecycles, "The status in Anthropic's words: `inactive` is `retired`."),
  max_input_tokens: nullable(integer('The most tokens of input; null where it is not known.')),
  max_tokens: nullable(integer('The highest `max_tokens`; null where it is not known.')),
  capabilities: nullable(z.looseObject({})).describe(
    'Null for a model without the operation `messages`. What the model can do, each as `{"supported": true}`: `effort`, `image_input`, `pdf_input`, `server_tools`, `structured_outputs`, `thinking`. It is false, too, where the catalog does not know: `batch`, `citations`, `code_execution` and `context_management` are always false, though a Claude model may have them.',
  ),
});

export const models = named('Models', 'A list of models.', {
  object: always('list'),
  data: list(model, 'The models, by id.'),
  has_more: flag('Whether there are more models after this page, or before it for `before_id`.'),
  first_id: nullable(text('The id of the first model of this page.')),
  last_id: nullable(text('The id of the last model of this page.')),
});
