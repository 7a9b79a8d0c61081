/** Embeddings: `POST /v1/embeddings`. */
import { inTurns } from '../../async/in-turns.ts';
import { concernsCache } from '../../core/caching.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { type EmbeddingRequest, textPath, type Vector } from '../../core/generation/embedding.ts';
import type { Change } from '../../normalization/rule.ts';
import { checkAllowed } from '../../pipeline/check-allowed.ts';
import type { Embedded } from '../../pipeline/embeddings/call-embeddings.ts';
import { guardTexts, userOf } from '../../pipeline/guard-input.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { planRequest, runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { type CostInUsage, costInUsage, gatewayHeaders, withCost, writeDebug } from '../answer-facts.ts';
import { type EmbeddingsInput, type EncodingFormat, readEmbeddings } from './read.ts';
import { embeddingsSchema } from './schema.ts';
import { type EmbeddingsAnswer, embeddingsTask, type PreparedEmbeddings } from './task.ts';

export function embeddingsEndpoint(parts: PipelineParts): Endpoint<typeof embeddingsSchema, EmbeddingsInput> {
  return {
    schema: embeddingsSchema,
    read: readEmbeddings,
    prepare: (input) => warmUp(parts, input),
    isCostly: ({ request }) => mustCount(request),
    mayBeFree: mayBeFree(parts, 'embeddings'),
    async answer(call) {
      if (mustCount(call.input.request)) await checkAllowed(parts, call.input, call);
      await checkLength(call.input.request, call.signal);
      const { request } = call.input;
      const given = request.texts.map((text, position) => ({ text, path: textPath(request, position) }));
      const { texts, changes } = await guardTexts(parts, [...given, ...userOf(request.parameters)], call);
      const user = texts[given.length];
      const parameters = user === undefined ? request.parameters : { ...request.parameters, user };
      const passed = { ...request, texts: texts.slice(0, given.length), parameters };
      const input = { ...call.input, request: passed };
      const guarded = { ...call, input };
      if (input.dryRun) return await answerDry(parts, guarded, changes);
      const task = embeddingsTask(parts, input);
      const planned = await planRequest(parts, task, call);
      const cache = concernsCache(call.key, input.cache)
        ? await (await import('./cached.ts')).cachedEmbeddings(parts, planned, guarded)
        : undefined;
      if (cache?.answer) return write(call, cache.answer);
      const first = await runTargets(parts, task, call, planned);
      const embedded = embeddedBy({ ...first, changes: [...changes, ...first.changes] });
      parts.health.succeeded(embedded.target);
      return write(call, cache?.keeping(embedded) ?? embedded);
    },
  };
}

/** Each text has a vector without a number. */
async function answerDry(
  parts: PipelineParts,
  call: Call<EmbeddingsInput>,
  redacted: readonly Change[],
): Promise<Answer> {
  const { embeddingsDry } = await import('./dry-run.ts');
  const { first, promptTokens, dry } = await embeddingsDry(parts, call, redacted);
  const vectors = call.input.request.texts.map(() => []);
  const answer = { vectors, promptTokens, estimated: true, sandbox: false };
  return write(call, { ...embeddedBy({ ...first, answer, changes: [...redacted, ...first.changes] }), dry });
}

function embeddedBy({
  answer: { vectors, promptTokens, sandbox },
  prepared,
  ...first
}: Omit<TargetAnswer<PreparedEmbeddings, Embedded>, 'attempt' | 'media'>): EmbeddingsAnswer {
  const { target, requestedId, attempts } = first;
  const changes = [...first.changes, ...prepared.changes];
  return { target, requestedId, attempts, changes, vectors, promptTokens, sandbox };
}

function write(call: Call<EmbeddingsInput>, answer: EmbeddingsAnswer): Answer {
  const { input, facts } = call;
  const { vectors, promptTokens, requestedId: model, changes } = answer;
  facts.normalizations = changes.length;
  const debug = writeDebug(call, answer);
  const cost = costInUsage(call);
  const { encoding } = input;
  const text = writeEmbeddings(vectors, { model, promptTokens, encoding, cost, debug });
  return { type: 'large-json', headers: gatewayHeaders(answer), text };
}

interface EmbeddingsFacts {
  /** As requested. */
  readonly model: string;
  readonly promptTokens: number;
  readonly encoding: EncodingFormat;
  readonly cost: CostInUsage;
  readonly debug: object | undefined;
}

export function* writeEmbeddings(vectors: readonly Vector[], facts: EmbeddingsFacts): Generator<string> {
  const { model, promptTokens, encoding, cost, debug } = facts;
  const write = encoding === 'base64' ? asBase64 : asNumbers;
  yield '{"object":"list","data":[';
  for (const [index, vector] of vectors.entries()) {
    const comma = index === 0 ? '' : ',';
    yield `${comma}{"object":"embedding","index":${index},"embedding":${write(vector)}}`;
  }
  const usage = withCost({ prompt_tokens: promptTokens, total_tokens: promptTokens }, cost);
  yield `],${JSON.stringify({ model, usage, ...(debug && { debug }) }).slice(1)}`;
}

/** Exact: a 32-bit float is written as a 64-bit one. */
function asNumbers(vector: Vector): string {
  // `join` drops the sign of zero.
  const numbers = vector.includes(0) ? Array.from(vector, signed) : vector;
  return `[${numbers.join(',')}]`;
}

const signed = (number: number): string => (Object.is(number, -0) ? '-0' : `${number}`);

const bytesOfFloat = 4;

/** 32-bit floats, little-endian. */
function asBase64(vector: Vector): string {
  const bytes = Buffer.alloc(bytesOfFloat * vector.length);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * bytesOfFloat);
  return `"${bytes.toString('base64')}"`;
}

/**
 * The maximum length of a text: 8,192 tokens of `cl100k_base`, whichever model embeds it, not counting a model's prefix.
 */

const maxTokens = 8192;

/** The longest token, in bytes. */
const longestToken = 128;

/** Whether the tokens of a text must be counted. */
const mustCount = ({ texts }: EmbeddingRequest): boolean =>
  texts.some((text) => Buffer.byteLength(text) > maxTokens);

/** Rejects with GatewayError `invalid_request` naming the first text that is too long, or with the reason of the signal. */
export async function checkLength(request: EmbeddingRequest, signal: AbortSignal): Promise<void> {
  for (const [position, text] of request.texts.entries()) {
    if (await isTooLong(text, signal)) {
      const message = `Each text in 'input' must have at most ${maxTokens} tokens.`;
      throw new GatewayError('invalid_request', message, { param: textPath(request, position) });
    }
  }
}

/** A token has at least one byte and at most `longestToken` bytes, so only lengths in between need counting. */
async function isTooLong(text: string, signal: AbortSignal): Promise<boolean> {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxTokens) return false;
  if (bytes > maxTokens * longestToken) return true;
  const { countTokens } = await import('../../pipeline/byte-pairs/byte-pairs.ts');
  return (await inTurns(countTokens(text, maxTokens), signal)) > maxTokens;
}
