/** Lines of batches as requests of their operation: each is prepared, read and answered by what serves single requests. */
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { errorAnswer } from '../lib/batches/lines/error-answer.ts';
import type { AnswerLines, LineAnswer } from '../lib/batches/ports.ts';
import type { Batch, BatchOperation } from '../lib/core/batches.ts';
import { asGatewayError } from '../lib/core/errors/errors.ts';
import { asObject } from '../lib/core/formats/json-object.ts';
import { parseJson } from '../lib/core/formats/parse-json.ts';
import { lineRequestId } from '../lib/core/names/request-id.ts';
import { operationNamed } from '../lib/core/operations.ts';
import type { Handler, RequestHost } from '../lib/http/request/http-request.ts';
import type { HttpAnswer } from '../lib/http/respond.ts';
import { serve } from '../lib/http/serve.ts';
import { chatEndpoint } from '../lib/operations/chat/endpoint.ts';
import { completionsEndpoint } from '../lib/operations/completions/endpoint.ts';
import { embeddingsEndpoint } from '../lib/operations/embeddings/endpoint.ts';
import { imagesEndpoint } from '../lib/operations/images/endpoint.ts';
import { messagesEndpoint } from '../lib/operations/messages/endpoint.ts';
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import { linePartsOf, longMs } from '../lib/runtime/batches/line-parts.ts';
import type { LineRuntime } from '../lib/runtime/batches/line-runtimes.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { checkFields, isOutsideJobs, ownFields, withFields } from './line-fields.ts';
import { ownRequest } from './own-request.ts';

type CreateHandler = (runtime: LineRuntime) => Handler;

const handlers: Readonly<Record<BatchOperation, CreateHandler>> = {
  'chat-completions': (runtime) => serve(operationNamed('chat-completions'), chatEndpoint(runtime), runtime),
  completions: (runtime) => serve(operationNamed('completions'), completionsEndpoint(runtime), runtime),
  embeddings: (runtime) => serve(operationNamed('embeddings'), embeddingsEndpoint(runtime), runtime),
  'images-generations': (runtime) =>
    serve(operationNamed('images-generations'), imagesEndpoint(runtime), runtime),
  messages: (runtime) => serve(operationNamed('messages'), messagesEndpoint(runtime), runtime),
  responses: (runtime) => serve(operationNamed('responses'), responsesEndpoint(runtime), runtime),
};

/** The pause before another attempt of a line, where the answer names none. */
const defaultPauseMs = 1_000;

export function createAnswerLines(variables: Variables): AnswerLines {
  const lines = linePartsOf(variables);

  async function ask(batch: Batch, body: string, runtime: LineRuntime, host: RequestHost) {
    const answered = await handlers[batch.operation](runtime)(
      ownRequest(batch.operation, batch.headers, body),
      host,
    );
    const answer: LineAnswer = {
      status: answered.statusCode,
      requestId: host.requestId,
      body: await textOf(answered.body),
    };
    return { answer, headers: answered.headers };
  }

  return {
    async prepare(batch, line, without) {
      const id = lineRequestId({ batch: batch.id, line: line.n, attempt: 0 }, batch.createdAt * 1_000);
      const parsed = asObject(parseJson(line.body));
      const refused = (thrown: unknown) => errorAnswer(batch, asGatewayError(thrown), id);
      try {
        checkFields(parsed);
      } catch (thrown) {
        return { by: 'refused', answer: refused(thrown) };
      }
      const body = withFields(line.body, parsed, ownFields(batch.operation));
      const host = { requestId: id, remainingMs: () => longMs };
      if (!isOutsideJobs(parsed)) {
        const native = lines.preparing(batch.key, { native: true, without });
        const { answer } = await ask(batch, body, native.runtime, host);
        const sent = await native.sent();
        if (sent?.isSingle) return { by: 'native', ...sent };
        if (native.isBlocked()) return { by: 'refused', answer };
      }
      // Why there is nothing to send is said by what serves single requests.
      const single = lines.preparing(batch.key, { native: false, without: new Set() });
      // Calls beside the one for the answer are no part of what is planned.
      const planned =
        parsed.moderation == null
          ? body
          : withFields(body, asObject(parseJson(body)), { moderation: undefined });
      const { answer } = await ask(batch, planned, single.runtime, host);
      const asked = await single.sent();
      if (!asked) return { by: 'refused', answer };
      const { model, provider, region, priceFactor, cheaperTier } = asked;
      const isCheaper = cheaperTier !== undefined && parsed.service_tier == null && hasTiers(batch.operation);
      const fields = isCheaper ? { service_tier: cheaperTier } : {};
      return {
        by: 'live',
        model,
        provider,
        region,
        priceFactor: isCheaper || priceFactor === null ? priceFactor : 1,
        body: withFields(body, asObject(parseJson(body)), fields),
      };
    },
    async read(batch, { line, requestId, hold, share, granted, ...answered }) {
      const meter = lines.jobMeter.line(hold, share, { granted });
      const { runtime, remainingMs } = lines.reading(batch.key, { ...answered, openMeter: meter.openMeter });
      const parsed = asObject(parseJson(line.body));
      const body = withFields(line.body, parsed, ownFields(batch.operation));
      const { answer } = await ask(batch, body, runtime, { requestId, remainingMs });
      return { answer, record: await meter.recorded() };
    },
    async live(batch, line, { key, lost, ...host }) {
      const { runtime, record } = lines.live(key, batch.id, lost);
      const { answer, headers } = await ask(batch, line.body, runtime, host);
      return { answer, record: record(), retryAfterMs: retryAfterOf(answer, headers) };
    },
    findRecord: ({ key }, requestId) => lines.findRecord(key, requestId),
  };
}

const tiered: readonly BatchOperation[] = ['chat-completions', 'responses'];
const hasTiers = (operation: BatchOperation): boolean => tiered.includes(operation);

/** Of an answer that another attempt may improve. */
function retryAfterOf({ status }: LineAnswer, headers: HttpAnswer['headers']): number | undefined {
  const mayRetry = (status === 429 || status >= 500) && headers['x-should-retry'] !== 'false';
  if (!mayRetry) return undefined;
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) ? seconds * 1_000 : defaultPauseMs;
}

/** An answer that is too large to be in memory twice is written piece by piece. */
async function textOf(body: HttpAnswer['body']): Promise<string> {
  if (typeof body === 'string') return body;
  const pieces: Buffer[] = [];
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  await body.sendTo(output);
  output.end();
  await finished(output);
  return Buffer.concat(pieces).toString();
}
