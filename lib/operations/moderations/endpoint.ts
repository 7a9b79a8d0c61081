/** Moderation: `POST /v1/moderations`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import type { ModerationRequest } from '../../core/generation/moderation.ts';
import type { PathText } from '../../pipeline/guard/path-texts.ts';
import type { Moderated, ModerationCall } from '../../pipeline/moderation/call-moderation.ts';
import { moderationsTask, textIn } from '../../pipeline/moderation/task.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { type Made, oneCallEndpoint } from '../one-call/endpoint.ts';
import { type ModerationsInput, readModerations } from './read.ts';
import { moderationsSchema } from './schema.ts';

export const moderationsEndpoint = (
  parts: PipelineParts,
): Endpoint<typeof moderationsSchema, ModerationsInput> =>
  oneCallEndpoint(parts, {
    endpoint: 'moderations',
    schema: moderationsSchema,
    read: readModerations,
    texts: textsOf,
    withTexts,
    task: (input) => moderationsTask(parts, input),
    nothing: { id: undefined, results: [], promptTokens: undefined, sandbox: false },
    write,
  });

function textsOf({ input }: ModerationRequest): readonly PathText[] {
  const isList = input.length > 1;
  return input.flatMap((one, index) => {
    const text = textIn(one);
    return text === undefined ? [] : [{ text, path: isList ? `input.${index}` : 'input' }];
  });
}

function withTexts({ input }: ModerationRequest, texts: readonly string[]): ModerationRequest {
  const left = texts.values();
  const next = () => left.next().value ?? '';
  const isTexts = (list: typeof input): list is readonly string[] => typeof list[0] === 'string';
  if (isTexts(input)) return { input: texts };
  return { input: input.map((one) => (one.type === 'text' ? { ...one, text: next() } : one)) };
}

/** An id that is the provider's, or that of the request in the form of OpenAI's. */
const ownId = /^[\w-]{1,100}$/;

function write(
  { requestId }: Call<ModerationsInput>,
  { target, result: { id = '', results }, headers, debug }: Made<ModerationCall, Moderated>,
): Answer {
  const body = {
    id: ownId.test(id) ? id : `modr-${requestId}`,
    model: target.model.id,
    results,
    ...debug(),
  };
  return { type: 'json', headers, body };
}
