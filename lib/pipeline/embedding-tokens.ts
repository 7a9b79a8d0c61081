/**
 * Tokens of texts where the answer of the wire does not count them: asked of its other call. The same call tells which
 * text is longer than the model reads, where the provider would cut it without a word.
 */

import { mapConcurrently } from '../async/map-concurrently.ts';
import { GatewayError } from '../core/errors.ts';
import type { EmbeddingProtocol } from '../core/generation/embedding.ts';
import type { Target } from '../core/model.ts';
import type { Account } from '../providers/provider.ts';
import { expectSuccess, readJson } from './account.ts';

const largestAnswer = 256 * 1024;
const callsAtOnce = 8;

/** Undefined where the wire has no such call, or it does not tell. */
export async function countTokens(
  { post }: Account,
  protocol: EmbeddingProtocol,
  { deployment }: Target,
  texts: readonly string[],
): Promise<number | undefined> {
  const { counting } = protocol;
  if (!counting) return undefined;
  const response = await post(counting.path(deployment.upstreamId), counting.encode(texts));
  await expectSuccess(response, protocol);
  return counting.decode(await readJson(response, largestAnswer));
}

/** Rejects with GatewayError `invalid_request` naming the first text that the provider would cut. */
export async function refuseTooLong(
  account: Account,
  protocol: EmbeddingProtocol,
  target: Target,
  texts: readonly string[],
): Promise<void> {
  const { input, context } = target.model.limits;
  const most = input ?? context;
  if (!protocol.counting || most === null) return;
  // A token is at least a byte, so that most texts need no counting.
  const doubtful = texts.flatMap((text, place) => (Buffer.byteLength(text) > most ? [{ text, place }] : []));
  const counts = await mapConcurrently(doubtful, callsAtOnce, ({ text }) =>
    countTokens(account, protocol, target, [text]).catch(undefinedWhereRefused),
  );
  const tooLong = doubtful.find(({ text }, index) => (counts[index] ?? estimateTokens([text])) > most);
  if (!tooLong) return;
  const message = `The model '${target.model.id}' accepts at most ${most} tokens for each text in 'input'.`;
  throw new GatewayError('invalid_request', message, { param: `input.${tooLong.place}` });
}

/** The provider counts for no such model. Any other failure is one of the target. */
function undefinedWhereRefused(error: unknown): undefined {
  const kind = error instanceof GatewayError ? error.kind : undefined;
  if (kind === 'upstream_model_missing' || kind === 'upstream_bad_request') return undefined;
  throw error;
}

const bytesPerToken = 4;

export function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / bytesPerToken), 0);
}
