/** Cached answers of the embeddings operation: the vectors, bit by bit. */
import type { Call } from '../../core/endpoint.ts';
import { asObject, objectsIn } from '../../core/formats/json-object.ts';
import type { Vector } from '../../core/generation/embedding.ts';
import { type Cacheable, type KeptAnswer, openCache } from '../../pipeline/cache/open-cache.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { Plan } from '../../routing/plan.ts';
import type { EmbeddingsInput } from './read.ts';
import type { EmbeddingsAnswer } from './task.ts';

interface EmbeddingsCache {
  /** Present with a hit. */
  readonly answer?: EmbeddingsAnswer;
  /** The same answer, which is kept. */
  readonly keeping: (answer: EmbeddingsAnswer) => EmbeddingsAnswer;
}

export async function cachedEmbeddings(
  parts: PipelineParts,
  planned: Plan,
  call: Call<EmbeddingsInput>,
): Promise<EmbeddingsCache | undefined> {
  const cache = await openCache(parts, planned, cacheableOf(call.input), call);
  if (!cache) return undefined;
  const { verdict, found } = cache;
  return {
    ...(found && { answer: { ...answerOf(found), requestedId: planned.requestedId, cache: verdict } }),
    keeping(answer) {
      cache.keep(() => keptOf(answer));
      return { ...answer, cache: verdict };
    },
  };
}

export function cacheableOf({ cache: wish, preferences, guardrails, request }: EmbeddingsInput): Cacheable {
  const { texts, parameters } = request;
  const asked = () => ({ texts, parameters });
  return { endpoint: 'embeddings', wish, preferences, guardrails, bypass: undefined, asked };
}

interface KeptVector {
  /** Numbers of 32 bits; absent: of 64. */
  readonly is32?: true;
  /** The numbers as bytes, in Base64. */
  readonly data: string;
}

function keptOf({ target, vectors, promptTokens, sandbox, changes }: EmbeddingsAnswer): KeptAnswer {
  const kept: readonly KeptVector[] = vectors.map((vector) => {
    const is32 = vector instanceof Float32Array;
    const numbers = is32 ? vector : Float64Array.from(vector);
    const data = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
    return { ...(is32 && { is32 }), data };
  });
  const body = { vectors: kept, sandbox, changes };
  return { target, tokens: { promptTokens, completionTokens: 0 }, body };
}

function answerOf({ target, tokens, body }: KeptAnswer): Omit<EmbeddingsAnswer, 'requestedId'> {
  return {
    target,
    attempts: [],
    vectors: objectsIn(body.vectors).map(vectorOf),
    promptTokens: tokens.promptTokens,
    sandbox: body.sandbox === true,
    changes: body.changes as EmbeddingsAnswer['changes'],
  };
}

function vectorOf(kept: object): Vector {
  const { is32, data } = asObject<KeptVector>(kept);
  const bytes = new Uint8Array(Buffer.from(`${data}`, 'base64'));
  return is32 ? new Float32Array(bytes.buffer) : Array.from(new Float64Array(bytes.buffer));
}
