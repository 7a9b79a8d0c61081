/** The error object of all operations, in each form. */
import { always, integer, named, nullable, object, text } from './shared.ts';

const errorFields = {
  message: text('What is wrong and what to do. For people: do not parse it.'),
  type: text('The kind of error.'),
  param: nullable(text('The path of the field at fault, for example `messages.0.content`.')),
  code: nullable(text('The exact reason, for programs. `docs/reference/errors.md` lists the codes.')),
  resets_at: integer(
    'When the budget that is used up starts again, in Unix seconds. Only for budgets of a day, week or month.',
  ).optional(),
};

const isError = always('error');

const requestId = text('The id of the request, as in the header `x-request-id`.');

export const error = named(
  'Error',
  'The body of every error. Answers of API Gateway itself also have `type` and `request_id`.',
  {
    type: isError.optional(),
    error: object('The error.', errorFields),
    request_id: requestId.optional(),
  },
);

export const cohereError = named(
  'CohereError',
  "The body of every error of reranking: the message stands beside it, where Cohere's clients read it.",
  { message: text('What is wrong, and what to do.'), error: object('The error.', errorFields) },
);

export const anthropicError = named(
  'AnthropicError',
  "The body of every error of the Messages and Models operations, and the data of the event `error` of a stream: Anthropic's, with the `param` and `code` of this gateway.",
  {
    type: isError,
    error: object('The error.', {
      ...errorFields,
      details: object('What more is known, where clients act on it.', {
        error_code: text("Anthropic's code, for example `enforced_spend_limit_reached`."),
      }).optional(),
    }),
    request_id: requestId,
  },
);
