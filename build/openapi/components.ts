/** The named schemas of the reference: those of answers, and the parts of requests that have a name. */
import { isDeepStrictEqual } from 'node:util';
import type { OperationName } from '../../lib/core/operations.ts';
import { chatCompletion, chatCompletionChunk, completion, completionChunk } from './answers/chat.ts';
import { message, messageEvent, messageTokens } from './answers/messages.ts';
import { anthropicError, embeddings, error, images, model, models } from './answers/others.ts';
import { responseEvent } from './answers/response-events.ts';
import { compaction, deletedResponse, inputItems, inputTokens, response } from './answers/responses.ts';
import { usage, usageRequest } from './answers/usage.ts';
import { type Described, describeFields } from './describe-fields.ts';
import { type Components, type JsonSchema, namedSchemas, requestSchema } from './json-schema.ts';
import { type OperationReference, reference } from './reference.ts';

/** What a caller sends to an operation, with descriptions. Throws for a field that has none. */
export function describeRequest(name: OperationName): Described {
  const { schema, fields, components } = reference[name];
  const described = describeFields(requestSchema(schema), fields, components);
  if (described.missing.length > 0) {
    throw new Error(`cli/docs/fields describes no ${described.missing.join(', ')} of ${name}.`);
  }
  return described;
}

export function requestComponents(): Components {
  const found: Record<string, JsonSchema> = {};
  for (const [name, { request }] of Object.entries(reference) as [OperationName, OperationReference][]) {
    const { schema, components } = describeRequest(name);
    for (const [id, part] of Object.entries({ ...components, ...(request && { [request]: schema }) })) {
      if (found[id] && !isDeepStrictEqual(found[id], part)) throw new Error(`Two schemas are named ${id}.`);
      found[id] = part;
    }
  }
  return found;
}

const answers = [
  chatCompletion,
  chatCompletionChunk,
  message,
  messageEvent,
  messageTokens,
  completion,
  completionChunk,
  response,
  responseEvent,
  deletedResponse,
  inputItems,
  inputTokens,
  compaction,
  embeddings,
  images,
  model,
  models,
  usage,
  usageRequest,
  error,
  anthropicError,
];

export const answerComponents = (): Components => namedSchemas(answers);
