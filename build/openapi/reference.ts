/** What the reference has of each operation beside its route: summary, fields, and the schemas of its answers. */
import type * as z from 'zod';
import type { Operation, OperationName } from '../../lib/core/operations.ts';
import { usageSchema } from '../../lib/metering/usage/question.ts';
import { schema as cancelBatchSchema } from '../../lib/operations/batches/cancel.ts';
import { batchesSchema } from '../../lib/operations/batches/create.ts';
import { schema as listBatchesSchema } from '../../lib/operations/batches/list.ts';
import { schema as retrieveBatchSchema } from '../../lib/operations/batches/retrieve.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { completionsSchema } from '../../lib/operations/completions/schema.ts';
import { embeddingsSchema } from '../../lib/operations/embeddings/schema.ts';
import { schema as fileContentSchema } from '../../lib/operations/files/content.ts';
import { schema as createFileSchema } from '../../lib/operations/files/create.ts';
import { schema as deleteFileSchema } from '../../lib/operations/files/delete.ts';
import { schema as listFilesSchema } from '../../lib/operations/files/list.ts';
import { schema as retrieveFileSchema } from '../../lib/operations/files/retrieve.ts';
import { editsSchema, imagesSchema } from '../../lib/operations/images/schema.ts';
import { schema as cancelMessageBatchSchema } from '../../lib/operations/message-batches/cancel.ts';
import { messageBatchesSchema } from '../../lib/operations/message-batches/create.ts';
import { schema as deleteMessageBatchSchema } from '../../lib/operations/message-batches/delete.ts';
import { schema as listMessageBatchesSchema } from '../../lib/operations/message-batches/list.ts';
import { schema as messageBatchResultsSchema } from '../../lib/operations/message-batches/results.ts';
import { schema as retrieveMessageBatchSchema } from '../../lib/operations/message-batches/retrieve.ts';
import { countSchema as messagesCountSchema } from '../../lib/operations/messages/count/endpoint.ts';
import { messagesSchema } from '../../lib/operations/messages/read/schema.ts';
import { schema as modelsSchema } from '../../lib/operations/models/list.ts';
import { schema as modelsRetrieveSchema } from '../../lib/operations/models/retrieve.ts';
import { moderationsSchema } from '../../lib/operations/moderations/schema.ts';
import { schema as openapiSchema } from '../../lib/operations/openapi.ts';
import { clientSecretsSchema } from '../../lib/operations/realtime/schema.ts';
import { rerankSchema } from '../../lib/operations/rerank/schema.ts';
import { schema as cancelSchema } from '../../lib/operations/responses/background/cancel.ts';
import { responsesSchema } from '../../lib/operations/responses/read/schema.ts';
import { schema as deleteSchema } from '../../lib/operations/responses/stored/delete.ts';
import { schema as inputItemsSchema } from '../../lib/operations/responses/stored/input-items.ts';
import { schema as retrieveSchema } from '../../lib/operations/responses/stored/retrieve.ts';
import { speechSchema } from '../../lib/operations/speech/schema.ts';
import { schema as streamSchema } from '../../lib/operations/streams/retrieve.ts';
import { transcriptionSchema } from '../../lib/operations/transcriptions/schema.ts';
import { schema as addPartSchema } from '../../lib/operations/uploads/add-part.ts';
import { schema as cancelUploadSchema } from '../../lib/operations/uploads/cancel.ts';
import { schema as completeUploadSchema } from '../../lib/operations/uploads/complete.ts';
import { schema as createUploadSchema } from '../../lib/operations/uploads/create.ts';
import { requestSchema } from '../../lib/operations/usage/request.ts';
import type { Fields } from './describe-fields.ts';
import {
  batchIdFields,
  createBatchFields,
  createMessageBatchFields,
  listBatchesFields,
  listMessageBatchesFields,
  messageBatchIdFields,
} from './fields/batches.ts';
import { chatComponents, chatFields } from './fields/chat.ts';
import {
  addPartFields,
  cancelUploadFields,
  completeUploadFields,
  createFileFields,
  createUploadFields,
  fileFields,
  listFilesFields,
} from './fields/files.ts';
import { messagesComponents, messagesFields } from './fields/messages.ts';
import {
  clientSecretsFields,
  completionsComponents,
  completionsFields,
  editsFields,
  embeddingsComponents,
  embeddingsFields,
  extraComponent,
  imagesFields,
  modelsFields,
  modelsRetrieveFields,
  moderationsFields,
  rerankFields,
  speechFields,
  streamFields,
  transcriptionFields,
  usageFields,
  usageRequestFields,
} from './fields/others.ts';
import {
  cancelFields,
  deleteFields,
  inputItemsFields,
  responsesComponents,
  responsesFields,
  retrieveFields,
} from './fields/responses.ts';

/** The path of an operation without the mark of a parameter that takes several segments, which OpenAPI does not have. */
export const documentedPath = ({ path }: Pick<Operation, 'path'>): string => path.replace('+}', '}');

export interface OperationReference {
  /** The group in the reference. */
  readonly tag: string;
  readonly title: string;
  readonly summary: string;
  /** Of the body, or of the parameters of an operation without a body. */
  readonly schema: z.core.$ZodType;
  readonly fields: Fields;
  /** Names of parts of the body. */
  readonly components?: Fields;
  /** The component with the schema of the body. */
  readonly request?: string;
  /** The field of the body that has a file: then the body is a form. */
  readonly file?: string;
  /** Whether the body is a form, or JSON. */
  readonly isForm?: true;
  /** The component with the schema of the answer; absent: any object. */
  readonly answer?: string;
  /** The component with the schema of one event, where the answer may be a stream. */
  readonly event?: string;
  /** Whether the answer has a tag, by which a client asks whether it is still so. */
  readonly isTagged?: true;
  /** Whether the answer is audio, or events with pieces of it. */
  readonly isAudio?: true;
  /** Whether the answer is bytes. */
  readonly isBytes?: true;
  /** Whether the answer is always a stream, of events of any operation. */
  readonly isAnyStream?: true;
}

export const reference: Readonly<Record<OperationName, OperationReference>> = {
  'chat-completions': {
    tag: 'Chat',
    title: 'Create a chat completion',
    summary:
      'Sends a conversation to a model. With `stream: true` the answer is a stream of server-sent events: chunks, then `data: [DONE]`.',
    schema: chatSchema,
    fields: chatFields,
    components: chatComponents,
    request: 'ChatCompletionRequest',
    answer: 'ChatCompletion',
    event: 'ChatCompletionChunk',
  },
  responses: {
    tag: 'Responses',
    title: 'Create a response',
    summary:
      'Sends input to a model and stores the response for 30 days, so that a later request can continue it. With `stream: true` the answer is a stream of server-sent events.',
    schema: responsesSchema,
    fields: responsesFields,
    components: responsesComponents,
    request: 'ResponseRequest',
    answer: 'Response',
    event: 'ResponseStreamEvent',
  },
  'responses-retrieve': {
    tag: 'Responses',
    title: 'Get a stored response',
    summary:
      "Returns a stored response of the key's tenant, or one that is created in the background, as it is now. With `stream=true`, as the events of a stream: for one that was created with `background` and `stream`, those that were sent, and what follows; otherwise each text in one piece.",
    schema: retrieveSchema,
    fields: retrieveFields,
    answer: 'Response',
    event: 'ResponseStreamEvent',
  },
  'responses-cancel': {
    tag: 'Responses',
    title: 'Cancel a background response',
    summary:
      'Ends a response that is created in the background, and returns it in the status `cancelled`. What was generated by then is billed. A second call changes nothing. A response that has ended otherwise, or that was not created in the background, is refused.',
    schema: cancelSchema,
    fields: cancelFields,
    answer: 'Response',
  },
  'responses-delete': {
    tag: 'Responses',
    title: 'Delete a stored response',
    summary:
      'Deletes a stored response. Responses that continue it stay complete. One that is created in the background is cancelled first.',
    schema: deleteSchema,
    fields: deleteFields,
    answer: 'DeletedResponse',
  },
  'responses-input-items': {
    tag: 'Responses',
    title: 'List the input of a stored response',
    summary:
      'Returns the input that led to a stored response, with that of the responses it continues, page by page.',
    schema: inputItemsSchema,
    fields: inputItemsFields,
    answer: 'ResponseInputItems',
  },
  'responses-input-tokens': {
    tag: 'Responses',
    title: 'Count the tokens of an input',
    summary:
      'Counts the tokens of the input that a response would have, and generates nothing. The body is that of a response; `input` may be left out where it continues a stored one. It costs nothing. Where the provider does not count, the number is an estimate, and says so.',
    schema: responsesSchema,
    fields: responsesFields,
    components: responsesComponents,
    request: 'ResponseRequest',
    answer: 'ResponseInputTokens',
  },
  'responses-compact': {
    tag: 'Responses',
    title: 'Make a conversation short',
    summary:
      "Gives the items that the next request can begin with in place of the conversation. OpenAI's and Azure's models do it by the provider's own operation; elsewhere the model writes a summary, marked as such. The body is that of a response, not streamed; `input` may be left out where it continues a stored one. It is billed like a response.",
    schema: responsesSchema,
    fields: responsesFields,
    components: responsesComponents,
    request: 'ResponseRequest',
    answer: 'ResponseCompaction',
  },
  messages: {
    tag: 'Messages',
    title: 'Create a message',
    summary:
      "Sends a conversation to a model in the form of Anthropic's Messages API, for its SDKs and for agents that use them. Any model that supports chat is served. With `stream: true` the answer is a stream of server-sent events.",
    schema: messagesSchema,
    fields: messagesFields,
    components: messagesComponents,
    request: 'MessageRequest',
    answer: 'Message',
    event: 'MessageStreamEvent',
  },
  'messages-count-tokens': {
    tag: 'Messages',
    title: 'Count the tokens of a message',
    summary:
      'Counts the tokens of the input that a message would have, and generates nothing. The body is that of a message; `max_tokens` may be left out. It costs nothing. Where the provider does not count, the number is an estimate, and says so.',
    schema: messagesCountSchema,
    fields: messagesFields,
    components: messagesComponents,
    request: 'MessageTokensCountRequest',
    answer: 'MessageTokensCount',
  },
  completions: {
    tag: 'Completions',
    title: 'Create a text completion',
    summary:
      'Sends one prompt to a model, as the message of a user, and returns text. For clients that do not use chat; every model that supports chat is served. With `stream: true` the answer is a stream of server-sent events: chunks, then `data: [DONE]`.',
    schema: completionsSchema,
    fields: completionsFields,
    components: completionsComponents,
    request: 'CompletionRequest',
    answer: 'Completion',
    event: 'CompletionChunk',
  },
  'streams-retrieve': {
    tag: 'Streams',
    title: 'Read a stream on',
    summary:
      "Reads a stream of the key's tenant that was asked for with `extra.resumable`: the same bytes, from the event after `starting_after` on, and then what follows until it ends. Any number of readers may, for 24 hours after it began. Clients of server-sent events say in their header `Last-Event-ID` what they have read. It generates and costs nothing.",
    schema: streamSchema,
    fields: streamFields,
    isAnyStream: true,
  },
  embeddings: {
    tag: 'Embeddings',
    title: 'Create embeddings',
    summary: 'Turns texts into vectors.',
    schema: embeddingsSchema,
    fields: embeddingsFields,
    components: embeddingsComponents,
    request: 'EmbeddingsRequest',
    answer: 'Embeddings',
  },
  'images-generations': {
    tag: 'Images',
    title: 'Generate images',
    summary:
      'Generates images from a text. All images of a request are returned, or an error. With `stream: true` the answer is a stream of server-sent events: unfinished images, if asked for, and the finished one.',
    schema: imagesSchema,
    fields: imagesFields,
    components: extraComponent,
    request: 'ImagesRequest',
    answer: 'Images',
    event: 'ImageStreamEvent',
  },
  'images-edits': {
    tag: 'Images',
    title: 'Edit images',
    summary:
      'Makes images of one or more that are sent, as a text says. The body is a form with the files, or JSON with their URLs. Answers and streams are those of generated images; events are named `image_edit.partial_image` and `image_edit.completed`.',
    schema: editsSchema,
    fields: editsFields,
    components: extraComponent,
    request: 'ImageEditsRequest',
    isForm: true,
    answer: 'Images',
    event: 'ImageStreamEvent',
  },
  moderations: {
    tag: 'Moderations',
    title: 'Classify texts and images',
    summary:
      'Says of each input whether it is harmful, and in which way. The categories are those of the model that answers.',
    schema: moderationsSchema,
    fields: moderationsFields,
    components: extraComponent,
    request: 'ModerationsRequest',
    answer: 'Moderations',
  },
  'realtime-client-secrets': {
    tag: 'Realtime',
    title: 'Create a client secret',
    summary:
      'Asks the provider for a secret with which a browser or an app opens realtime sessions itself, without an API key. The gateway sees nothing of the sessions, so their cost is unknown, and none are opened for keys, users and tenants with a budget, credit or a limit of tokens, with guardrails or with zero data retention.',
    schema: clientSecretsSchema,
    fields: clientSecretsFields,
    components: extraComponent,
    request: 'ClientSecretRequest',
    answer: 'ClientSecret',
  },
  rerank: {
    tag: 'Rerank',
    title: 'Rank documents',
    summary:
      'Orders documents by how relevant they are for a query, the best first. Also at `/v2/rerank`, where the clients of Cohere send it. The scores of two models cannot be compared: `model` says whose they are.',
    schema: rerankSchema,
    fields: rerankFields,
    components: extraComponent,
    request: 'RerankRequest',
    answer: 'Ranking',
  },
  'audio-speech': {
    tag: 'Speech',
    title: 'Speak a text',
    summary:
      'Speaks a text. The answer is audio as it comes, whose type the header `content-type` says, or with `stream_format: sse` events: `speech.audio.delta` with `audio` as base64, then `speech.audio.done` with `usage`. Audio that breaks off ends the connection, and is never complete.',
    schema: speechSchema,
    fields: speechFields,
    components: extraComponent,
    request: 'SpeechRequest',
    isAudio: true,
  },
  'audio-transcriptions': {
    tag: 'Transcription',
    title: 'Transcribe audio',
    summary:
      'Writes down what is said in a recording; at `/v1/audio/translations` in English. The body is a form with the file, or JSON with the URL of one. With `response_format` `text`, `srt` or `vtt` the answer is a plain text. With `stream: true` the answer is a stream of server-sent events.',
    schema: transcriptionSchema,
    fields: transcriptionFields,
    components: extraComponent,
    request: 'TranscriptionRequest',
    isForm: true,
    answer: 'Transcription',
    event: 'TranscriptionEvent',
  },
  'files-list': {
    tag: 'Files',
    title: 'List files',
    summary: "Lists the files of the key's tenant, page by page.",
    schema: listFilesSchema,
    fields: listFilesFields,
    answer: 'Files',
  },
  'files-create': {
    tag: 'Files',
    title: 'Store a file',
    summary:
      'Stores a file, which the body has as a form (`multipart/form-data`). It can be used at once, and is deleted when it expires.',
    schema: createFileSchema,
    fields: createFileFields,
    request: 'FileRequest',
    file: 'file',
    answer: 'File',
  },
  'files-retrieve': {
    tag: 'Files',
    title: 'Get a file',
    summary: "Returns what is known of a file of the key's tenant.",
    schema: retrieveFileSchema,
    fields: fileFields,
    answer: 'File',
  },
  'files-content': {
    tag: 'Files',
    title: 'Read a file',
    summary:
      'Returns the bytes of a file. The header `Range` asks for a part of them, which is answered with the status 206.',
    schema: fileContentSchema,
    fields: fileFields,
    isBytes: true,
  },
  'files-delete': {
    tag: 'Files',
    title: 'Delete a file',
    summary: 'Deletes a file and its bytes.',
    schema: deleteFileSchema,
    fields: fileFields,
    answer: 'DeletedFile',
  },
  'uploads-create': {
    tag: 'Uploads',
    title: 'Begin an upload',
    summary: 'Begins a file that arrives in parts. Parts may be added for one hour.',
    schema: createUploadSchema,
    fields: createUploadFields,
    request: 'UploadRequest',
    answer: 'Upload',
  },
  'uploads-add-part': {
    tag: 'Uploads',
    title: 'Add a part',
    summary:
      'Stores a part of an upload, which the body has as a form (`multipart/form-data`). Several may be sent at the same time.',
    schema: addPartSchema,
    fields: addPartFields,
    request: 'UploadPartRequest',
    file: 'data',
    answer: 'UploadPart',
  },
  'uploads-complete': {
    tag: 'Uploads',
    title: 'Complete an upload',
    summary:
      'Makes a file of the parts. They must have as many bytes as the upload was created with. A second call returns the same file.',
    schema: completeUploadSchema,
    fields: completeUploadFields,
    request: 'UploadCompletion',
    answer: 'Upload',
  },
  'uploads-cancel': {
    tag: 'Uploads',
    title: 'Cancel an upload',
    summary: 'Ends an upload without a file, and deletes its parts.',
    schema: cancelUploadSchema,
    fields: cancelUploadFields,
    answer: 'Upload',
  },
  'batches-list': {
    tag: 'Batches',
    title: 'List batches',
    summary: "Lists the batches of the key's tenant, the newest first, page by page.",
    schema: listBatchesSchema,
    fields: listBatchesFields,
    answer: 'Batches',
  },
  'batches-create': {
    tag: 'Batches',
    title: 'Create a batch',
    summary:
      'Answers the requests of a file within a day, most of them at the prices that providers have for batches. Each line is a request of the operation that `endpoint` names. See docs/batches.md.',
    schema: batchesSchema,
    fields: createBatchFields,
    request: 'BatchRequest',
    answer: 'Batch',
  },
  'batches-retrieve': {
    tag: 'Batches',
    title: 'Get a batch',
    summary: 'Returns a batch as it is now.',
    schema: retrieveBatchSchema,
    fields: batchIdFields,
    answer: 'Batch',
  },
  'batches-cancel': {
    tag: 'Batches',
    title: 'Cancel a batch',
    summary:
      'Ends a batch, which is `cancelling` until its jobs have ended. What was answered by then is in its files, and billed. A second call changes nothing. A batch that has ended otherwise is a 409.',
    schema: cancelBatchSchema,
    fields: batchIdFields,
    answer: 'Batch',
  },
  'message-batches-list': {
    tag: 'Message batches',
    title: 'List batches of messages',
    summary: "Lists the batches of messages of the key's tenant, the newest first, page by page.",
    schema: listMessageBatchesSchema,
    fields: listMessageBatchesFields,
    answer: 'MessageBatches',
  },
  'message-batches-create': {
    tag: 'Message batches',
    title: 'Create a batch of messages',
    summary:
      "Answers many messages within a day, in the form of Anthropic's Message Batches API. Their models may be those of any provider. See docs/batches.md.",
    schema: messageBatchesSchema,
    fields: createMessageBatchFields,
    request: 'MessageBatchRequest',
    answer: 'MessageBatch',
  },
  'message-batches-retrieve': {
    tag: 'Message batches',
    title: 'Get a batch of messages',
    summary: 'Returns a batch of messages as it is now.',
    schema: retrieveMessageBatchSchema,
    fields: messageBatchIdFields,
    answer: 'MessageBatch',
  },
  'message-batches-delete': {
    tag: 'Message batches',
    title: 'Delete a batch of messages',
    summary:
      'Deletes a batch that has ended, with its requests and results. A file of requests that was uploaded stays.',
    schema: deleteMessageBatchSchema,
    fields: messageBatchIdFields,
    answer: 'DeletedMessageBatch',
  },
  'message-batches-results': {
    tag: 'Message batches',
    title: 'Read the results of a batch of messages',
    summary:
      'Returns a line of JSON for each request of a batch that has ended, in any order: `{"custom_id", "result"}`, where `result.type` is `succeeded` (with `message`), `errored` (with `error`), `canceled` or `expired`.',
    schema: messageBatchResultsSchema,
    fields: messageBatchIdFields,
    isBytes: true,
  },
  'message-batches-cancel': {
    tag: 'Message batches',
    title: 'Cancel a batch of messages',
    summary:
      'Ends a batch, which is `canceling` until its jobs have ended. What was answered by then is in its results, and billed. A second call changes nothing. A batch that has ended otherwise is a 400.',
    schema: cancelMessageBatchSchema,
    fields: messageBatchIdFields,
    answer: 'MessageBatch',
  },
  models: {
    tag: 'Models',
    title: 'List models',
    summary:
      'Lists the models and the operations that each one supports. No API key is needed. The answer has an `etag`: a request that sends it back in `if-none-match` gets a 304 without a body while nothing has changed.',
    isTagged: true,
    schema: modelsSchema,
    fields: modelsFields,
    answer: 'Models',
  },
  'models-retrieve': {
    tag: 'Models',
    title: 'Get a model',
    summary:
      "Returns one model, or one of the operator's aliases. The slash of an id may be sent as it is or as `%2F`. No API key is needed. The answer has an `etag`: a request that sends it back in `if-none-match` gets a 304 without a body while nothing has changed.",
    isTagged: true,
    schema: modelsRetrieveSchema,
    fields: modelsRetrieveFields,
    answer: 'Model',
  },
  'usage-retrieve': {
    tag: 'Usage',
    title: 'Get usage and cost',
    summary:
      "Sums up what the key's tenant used and what it is charged. Days, models and keys are kept permanently. Users, sessions, tags and parts of a day come from the ledger of requests, which goes back to `complete_from`.",
    schema: usageSchema,
    fields: usageFields,
    answer: 'Usage',
  },
  'usage-request': {
    tag: 'Usage',
    title: 'Get one request',
    summary:
      'Returns what one request of your tenant used, what it is charged, and how that is computed. It is found for as long as the ledger is kept.',
    schema: requestSchema,
    fields: usageRequestFields,
    answer: 'UsageRequest',
  },
  openapi: {
    tag: 'Reference',
    title: 'Get the OpenAPI document',
    summary:
      'Returns the OpenAPI 3.1 document of this API. No API key is needed. The answer has an `etag`: a request that sends it back in `if-none-match` gets a 304 without a body while nothing has changed.',
    isTagged: true,
    schema: openapiSchema,
    fields: {},
  },
};
