/** The reference of the operations for chat, messages and text completions, and of the streams that they may be read on from. */
import { chatSchema } from '../../../lib/operations/chat/read/schema.ts';
import { completionsSchema } from '../../../lib/operations/completions/schema.ts';
import { countSchema as messagesCountSchema } from '../../../lib/operations/messages/count/endpoint.ts';
import { messagesSchema } from '../../../lib/operations/messages/read/schema.ts';
import { schema as streamSchema } from '../../../lib/operations/streams/retrieve.ts';
import { chatComponents, chatFields } from '../fields/chat.ts';
import { messagesComponents, messagesFields } from '../fields/messages.ts';
import { completionsComponents, completionsFields, streamFields } from '../fields/others.ts';
import { type OperationReferences, tagged } from '../operation-reference.ts';

export const chatReference = {
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
  ...tagged('Messages', {
    messages: {
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
      title: 'Count tokens in a message',
      summary:
        'Returns the number of input tokens that a message would use, including its tools, images and documents, without creating the message. The body is the same as for creating a message, but `max_tokens` is optional. Token counting is free of charge. If the provider cannot count tokens for the model, the gateway estimates them, and `estimated` is `true`.',
      schema: messagesCountSchema,
      fields: messagesFields,
      components: messagesComponents,
      request: 'MessageTokensCountRequest',
      answer: 'MessageTokensCount',
    },
  }),
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
    title: 'Resume a stream',
    summary:
      "Reads a stream of the key's tenant that was asked for with `extra.resumable`: the same bytes, from the event after `starting_after` on, and then what follows until it ends. Any number of readers may, for 24 hours after it began. Clients of server-sent events say in their header `Last-Event-ID` what they have read. It calls no model and is free of charge.",
    schema: streamSchema,
    fields: streamFields,
    isAnyStream: true,
  },
} satisfies OperationReferences;
