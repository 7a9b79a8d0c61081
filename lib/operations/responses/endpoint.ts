/** The Responses operation: `POST /v1/responses`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { writeDebug } from '../debug.ts';
import { type Generated, type GenerateParts, generate } from '../generate.ts';
import { prepare } from '../route.ts';
import { generating, withinSilence } from '../silent-time.ts';
import { findHistory, type History } from './read/history.ts';
import { type ResponsesInput, readResponses } from './read/read.ts';
import { readConversation } from './read/read-items.ts';
import { responsesSchema } from './read/schema.ts';
import { type KeepParts, keepResponse, notKept } from './stored/store-response.ts';
import { responsePrefix } from './write/ids.ts';
import { createResponseWriter, type ResponseWriter, writeBody } from './write/write.ts';

export interface ResponsesParts extends GenerateParts, KeepParts {
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
  const { model, fallbacks, truncate } = input;
  const request = { ...input.request, messages: readConversation(input, history) };
  const asked = { model, fallbacks, truncate, normalize: true, request };
  const generated = await generate(parts, 'responses', asked, call);
  const writer = writerOf(parts, generated, { call, tenant, history });
  const headers = gatewayHeaders(generated);
  if (!request.stream) return { type: 'json', headers, body: await writeBody(writer, generated.events) };
  const onError = (error: GatewayError) => writer.fail(error);
  return { type: 'stream', headers, events: writer.stream(generated.events), onError };
}

interface Written {
  readonly call: Call<ResponsesInput>;
  readonly tenant: string;
  readonly history: History;
}

function writerOf(parts: ResponsesParts, generated: Generated, written: Written): ResponseWriter {
  const { call, tenant, history } = written;
  const { input, requestId } = call;
  const { target, details, attempts } = generated;
  const now = () => Math.floor(parts.now() / 1000);
  const id = parts.newId(responsePrefix);
  const deprecations = [...input.deprecations, ...modelDeprecations(target.model)];
  return createResponseWriter({
    identity: { id, created_at: now(), model: target.model.id },
    echo: input.echo,
    include: input.include,
    now,
    keep: async (response) =>
      input.store && (await keepResponse(parts, response, { id, tenant, requestId, history })),
    debug: (isKept) => {
      const lost = input.store && !isKept ? [notKept] : [];
      return writeDebug(input.debug, { changes: [...details.changes, ...lost], deprecations, attempts });
    },
  });
}

function tenantOf({ key }: Call<unknown>): string {
  if (key) return key.tenant;
  throw new GatewayError('invalid_api_key', 'Responses are kept for the holder of a key.');
}
