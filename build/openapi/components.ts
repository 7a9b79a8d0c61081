/** The named schemas of the reference: those of answers, and the parts of requests that have a name. */
import { isDeepStrictEqual } from 'node:util';
import { type OperationName, operationNamed } from '../../lib/core/operations.ts';
import { batch, batches, deletedMessageBatch, messageBatch, messageBatches } from './answers/batches.ts';
import { chatCompletion, chatCompletionChunk, completion, completionChunk } from './answers/chat.ts';
import { anthropicError, cohereError, error } from './answers/errors.ts';
import { deletedFile, file, files, upload, uploadPart } from './answers/files.ts';
import { imageStreamEvent, images } from './answers/images.ts';
import { message, messageEvent, messageTokens } from './answers/messages.ts';
import { model, models } from './answers/models.ts';
import { clientSecret } from './answers/realtime.ts';
import { responseEvent } from './answers/response-events.ts';
import { compaction, deletedResponse, inputItems, inputTokens, response } from './answers/responses.ts';
import { embeddings, moderations, ranking } from './answers/retrieval.ts';
import { transcription, transcriptionEvent } from './answers/transcriptions.ts';
import { usage, usageRequest } from './answers/usage.ts';
import { type Described, describeFields } from './describe-fields.ts';
import { type Components, type JsonSchema, namedSchemas, requestSchema } from './json-schema.ts';
import type { OperationReference } from './operation-reference.ts';
import { reference } from './reference.ts';

/** What a caller sends to an operation, with descriptions. Throws for a field that has none. */
export function describeRequest(name: OperationName): Described {
  const { schema, fields, components, file } = reference[name];
  const sent = withFile(requestSchema(schema), file);
  const described = describeFields(sent, fields, components);
  if (described.missing.length > 0) {
    throw new Error(`cli/docs/fields describes no ${described.missing.join(', ')} of ${name}.`);
  }
  return described;
}

/** The field of a form that has its file. */
const withFile = (schema: JsonSchema, field: string | undefined): JsonSchema =>
  field === undefined
    ? schema
    : {
        ...schema,
        properties: { ...schema.properties, [field]: { type: 'string', format: 'binary' } },
        required: [...(schema.required ?? []), field],
      };

/** What a body has, of what is sent: the path has the rest. */
function bodySchema(name: OperationName): JsonSchema {
  const { path } = operationNamed(name);
  const { properties = {}, required = [], ...schema } = describeRequest(name).schema;
  const isInBody = (field: string) => !path.includes(`{${field}}`);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([field]) => isInBody(field))),
    required: required.filter(isInBody),
  };
}

export function requestComponents(): Components {
  const found: Record<string, JsonSchema> = {};
  for (const [name, { request }] of Object.entries(reference) as [OperationName, OperationReference][]) {
    const { components } = describeRequest(name);
    const body = request && { [request]: bodySchema(name) };
    for (const [id, part] of Object.entries({ ...components, ...body })) {
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
  imageStreamEvent,
  images,
  moderations,
  clientSecret,
  ranking,
  transcription,
  transcriptionEvent,
  batch,
  batches,
  messageBatch,
  messageBatches,
  deletedMessageBatch,
  model,
  models,
  file,
  files,
  deletedFile,
  upload,
  uploadPart,
  usage,
  usageRequest,
  error,
  cohereError,
  anthropicError,
];

export const answerComponents = (): Components => namedSchemas(answers);
