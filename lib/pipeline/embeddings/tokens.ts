/**
 * Token counts for protocols whose embedding answer has none: they have another call that counts. The same call finds a text
 * that is longer than the model reads, which the provider would truncate silently.
 */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { type EmbeddingProtocol, type EmbeddingRequest, textPath } from '../../core/generation/embedding.ts';
import type { Account } from '../../providers/provider.ts';
import { expectSuccess, readJson } from '../use/account.ts';

const largestTokenCount = 256 * 1024;
const callsAtOnce = 8;

/** Undefined if the protocol has no such call, or its answer has no count. */
export async function countTokens(
  { post }: Account,
  protocol: EmbeddingProtocol,
  { deployment }: Target,
  texts: readonly string[],
): Promise<number | undefined> {
  const { counting } = protocol;
  if (!counting) return undefined;
  const response = await post(counting.path(deployment.upstreamId), counting.encode(texts), { free: true });
  await expectSuccess(response, protocol);
  return counting.decode(await readJson(response, largestTokenCount));
}

/** Rejects with GatewayError `invalid_request` naming the first text that the provider would cut. */
export async function refuseTooLong(
  account: Account,
  protocol: EmbeddingProtocol,
  target: Target,
  request: EmbeddingRequest,
): Promise<void> {
  const { input, context } = target.model.limits;
  const limit = input ?? context;
  if (!protocol.counting || limit === null) return;
  // A token is at least a byte, so most texts need no count.
  const doubtful = request.texts.flatMap((text, index) =>
    Buffer.byteLength(text) > limit ? [{ text, index }] : [],
  );
  const counts = await mapConcurrently(doubtful, callsAtOnce, ({ text }) =>
    countTokens(account, protocol, target, [text]).catch(undefinedIfRefused),
  );
  const tooLong = doubtful.find(({ text }, position) => (counts[position] ?? estimateTokens([text])) > limit);
  if (!tooLong) return;
  const message = `The model '${target.model.id}' accepts at most ${limit} tokens for each text in 'input'.`;
  throw new GatewayError('invalid_request', message, { param: textPath(request, tooLong.index) });
}

/** The provider has no counts for this model. Any other failure is the target's. */
function undefinedIfRefused(error: unknown): undefined {
  const kind = error instanceof GatewayError ? error.kind : undefined;
  if (kind === 'upstream_model_missing' || kind === 'upstream_bad_request') return undefined;
  throw error;
}

const bytesPerToken = 4;

export function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / bytesPerToken), 0);
}
