/** The Responses operation: `POST /v1/responses`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-object.ts';
import type { Change } from '../../normalization/rule.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { writeDebug } from '../debug.ts';
import { type Generated, type GenerateParts, generate } from '../generate.ts';
import { prepare } from '../route.ts';
import { generating, withinSilence } from '../silent-time.ts';
import { findHistory, type History } from './read/history.ts';
import { type ResponsesInput, readResponses } from './read/read.ts';
import { type Conversation, readConversation } from './read/read-items.ts';
import { responsesSchema } from './read/schema.ts';
import { notStored, type StoreParts, storeResponse } from './stored/store-response.ts';
import { responsePrefix } from './write/ids.ts';
import { createResponseWriter, type ResponseWriter, writeBody } from './write/write.ts';

export interface ResponsesParts extends GenerateParts, StoreParts {
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

export function responsesEndpoint(parts: ResponsesParts): Endpoint<typeof responsesSchema, ResponsesInput> {
  return {
    schema: responsesSchema,
    read: readResponses,
    prepare: (input) => prepare(parts, input),
    answer: (call) =>
      call.input.request.stream
        ? answer(parts, call)
        : withinSilence(call, generating, (ending) => answer(parts, ending)),
  };
}

async function answer(parts: ResponsesParts, call: Call<ResponsesInput>): Promise<Answer> {
  const { input } = call;
  const tenant = tenantOf(call);
  const history = await findHistory(parts.responses, tenant, input);
  const { messages, toPublicParam } = readConversation(input, history);
  try {
    const { model, fallbacks, truncate } = input;
    const request = { ...input.request, messages };
    const asked = { model, fallbacks, truncate, normalize: true, request };
    const generated = await generate(parts, 'responses', asked, call);
    const writer = writerOf(parts, generated, { call, tenant, history, toPublicParam });
    const headers = gatewayHeaders(generated);
    if (!request.stream) return { type: 'json', headers, body: await writeBody(writer, generated.events) };
    const onError = (error: GatewayError) => writer.fail(rename(error, toPublicParam));
    return { type: 'stream', headers, events: writer.stream(generated.events), onError };
  } catch (error) {
    throw rename(error, toPublicParam);
  }
}

interface Written {
  readonly call: Call<ResponsesInput>;
  readonly tenant: string;
  readonly history: History;
  readonly toPublicParam: Conversation['toPublicParam'];
}

function writerOf(parts: ResponsesParts, generated: Generated, written: Written): ResponseWriter {
  const { call, tenant, history, toPublicParam } = written;
  const { input, requestId } = call;
  const { target, details, attempts } = generated;
  const now = () => Math.floor(parts.now() / 1000);
  const id = parts.newId(responsePrefix);
  const changes = details.changes.map((change) => inCallersWords(change, toPublicParam));
  const deprecations = [...input.deprecations, ...modelDeprecations(target.model)];
  return createResponseWriter({
    identity: { id, created_at: now(), model: target.model.id },
    echo: input.echo,
    include: input.include,
    now,
    store: async (response) =>
      input.store && (await storeResponse(parts, response, { id, tenant, requestId, history })),
    debug: (isStored) => {
      const lost = input.store && !isStored ? [notStored] : [];
      return writeDebug(input.debug, { changes: [...changes, ...lost], deprecations, attempts });
    },
  });
}

function tenantOf({ key }: Call<unknown>): string {
  if (key) return key.tenant;
  throw new GatewayError('invalid_api_key', 'An API key is required to use the Responses API.');
}

/** What was changed, and where it went, in the caller's words. */
function inCallersWords(change: Change, toPublicParam: Conversation['toPublicParam']): Change {
  const told = (value: unknown): unknown => {
    if (typeof value === 'string') return /^messages\.\d+/.test(value) ? toPublicParam(value) : value;
    if (Array.isArray(value)) return value.map(told);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, told(inner)]));
  };
  const { param, before, after } = change;
  return { ...change, param: toPublicParam(param), before: told(before), after: told(after) };
}

/** The field at fault in the caller's words. */
function rename<Thrown>(thrown: Thrown, toPublicParam: Conversation['toPublicParam']): Thrown | GatewayError {
  if (!(thrown instanceof GatewayError) || thrown.param === null) return thrown;
  return thrown.with({ param: toPublicParam(thrown.param) });
}
