/**
 * Creates of the admin API with the header `Idempotency-Key`: one that is sent again by the same user, with the same input, gets the
 * answer of the first. Such an answer may have a secret, so it is kept sealed: a copy of the table opens none.
 */
import type { AdminAnswer, OpenCall } from '../../core/admin/admin-endpoint.ts';
import type { AdminOperation } from '../../core/admin/admin-operations.ts';
import type { User } from '../../core/admin/user.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { ClaimAnswer } from '../../core/ports/kept-answers.ts';
import type { Log } from '../../core/ports/log.ts';
import { openBytes, sealBytes } from '../../core/sealed-bytes.ts';
import { claimFor } from '../idempotency.ts';

export interface AnswerOnceParts {
  readonly claimAnswer: ClaimAnswer;
  /** The key with which answers are sealed. */
  readonly answerKey: () => Promise<Uint8Array>;
}

interface Call extends Pick<OpenCall<unknown, unknown>, 'parameters' | 'body' | 'signal'> {
  readonly user: User;
  /** The header. */
  readonly idempotencyKey: string;
}

type JsonAnswer = Extract<AdminAnswer, { type: 'json' }>;

const header = 'Idempotency-Key';

/** The answer of `make`, or that of the first call with the same key. */
export async function answerOnce(
  { user, idempotencyKey, parameters, body, signal }: Call,
  operation: AdminOperation,
  { claimAnswer, answerKey, log }: AnswerOnceParts & { readonly log: Pick<Log, 'warn'> },
  make: () => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  // Nothing is made whose answer could not be kept.
  const sealing = { key: await answerKey(), purpose: JSON.stringify([operation.name, user.id]) };
  const sent = {
    // No name of a tenant has a space.
    owner: `user ${user.id}`,
    idempotencyKey,
    // One who is moved to another tenant asks for something else with the same input.
    text: JSON.stringify([user.tenant, parameters, body]),
  };
  const claimed = await claimFor(sent, { claimAnswer, operation, signal });
  if (claimed.state === 'kept') return opened(claimed.answer.text, sealing);
  const warn = (cause: unknown) => log.warn('answer not kept', failureFields(cause));
  try {
    const answer = await make();
    const kept = claimed.keep({ headers: {}, text: sealed(answer, sealing) });
    if (await kept.catch(warn)) return answer;
    await claimed.release().catch(warn);
    return answer;
  } catch (error) {
    await claimed.release().catch(warn);
    throw error;
  }
}

interface Sealing {
  readonly key: Uint8Array;
  readonly purpose: string;
}

const sealed = (answer: AdminAnswer, { key, purpose }: Sealing): string =>
  sealBytes(key, purpose, Buffer.from(JSON.stringify(answer))).toString('base64');

function opened(text: string, { key, purpose }: Sealing): AdminAnswer {
  try {
    const bytes = openBytes(key, purpose, Buffer.from(text, 'base64'));
    const answer = parseJson(bytes.toString()) as JsonAnswer;
    return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
  } catch {
    const problem = 'was used before, and its answer cannot be read here: look at what was made';
    throw invalid(header, problem).with({ code: 'idempotency_key_reused' });
  }
}
