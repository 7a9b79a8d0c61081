/**
 * Requests with the header `Idempotency-Key`: one that is sent again, with the same key and body, gets the answer of the first, and is
 * not billed. The first goes on when its caller has left, so that the retry of a broken connection finds the answer. What fails is not
 * kept. Source: draft-ietf-httpapi-idempotency-key-header, and docs.stripe.com/api/idempotent_requests.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '../core/errors/errors.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import { invalid } from '../core/errors/invalid.ts';
import { requireMayStore } from '../core/may-store.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import {
  type ClaimAnswer,
  type FirstClaim,
  type KeptAnswer,
  type KeptClaim,
  maxKeptBytes,
} from '../core/ports/kept-answers.ts';
import type { Log } from '../core/ports/log.ts';
import { type RequestMemory, serverBusy } from '../core/ports/memory.ts';
import { outliving } from './outliving.ts';
import { contentCodings, decodeBody } from './request/decode-body.ts';
import { commonHeaders, type HttpAnswer, type RespondOptions } from './respond.ts';

const header = 'Idempotency-Key';

/** Printable ASCII. */
const keyPattern = /^[\x20-\x7e]{1,255}$/;

/** A request waits so long for the one before it, and looks so often whether that is answered. */
const waitMs = 30_000;
const lookMs = 1_000;

/** Audio is as large as what is too large, and a secret is for its caller alone. */
const isNotKept = (headers: HttpAnswer['headers']): boolean =>
  /^audio\//.test(headers['content-type'] ?? '') || headers['cache-control'] === 'no-store';

/** Headers of one answer that are not those of another. */
const ownHeaders = /^(?:x-request-id|request-id|(?:x-|anthropic-)ratelimit-.*|access-control-.*|vary)$/;

/** What a character of an answer takes that is kept or read again: itself, its JSON, the bytes of that, and these compressed. */
const bytesPerCharacter = 6;

type Claimed = FirstClaim | { readonly state: 'kept'; readonly answer: KeptAnswer };

interface Claiming {
  readonly claimAnswer: ClaimAnswer;
  readonly operation: { readonly name: string; readonly timeoutSeconds: number };
  readonly signal: AbortSignal;
  readonly memory?: RequestMemory | undefined;
}

/** What a caller has sent. */
interface Sent {
  /** The header. */
  readonly idempotencyKey: string;
  readonly body: string | Buffer;
  /** The header. */
  readonly contentEncoding?: string | undefined;
}

/** As `claimFor`, for the tenant of an API key. */
export async function claim(
  sent: Sent,
  { key, ...claiming }: Claiming & { readonly key: ApiKey },
): Promise<Claimed> {
  requireMayStore(key, header);
  const { idempotencyKey } = sent;
  const text = textOf(sent, claiming.memory);
  return await claimFor({ owner: key.tenant, idempotencyKey, text }, claiming);
}

interface Named extends Pick<Sent, 'idempotencyKey'> {
  /** Whose keys are all its own. */
  readonly owner: string;
  readonly text: string | Buffer;
}

/**
 * Waits while another request with the key runs.
 * @throws GatewayError for a key that has another body, and one whose request still runs.
 */
export async function claimFor(
  { owner, idempotencyKey, text }: Named,
  { claimAnswer, operation, signal, memory }: Claiming,
): Promise<Claimed> {
  if (!keyPattern.test(idempotencyKey))
    throw invalid(header, 'must have 1 to 255 printable ASCII characters');
  const name = {
    tenant: owner,
    name: digestOf(`${operation.name} ${idempotencyKey}`),
    body: digestOf(text),
  };
  for (let waited = 0; ; waited += lookMs) {
    const found = await claimAnswer(name, operation.timeoutSeconds * 1_000);
    if (found.state === 'first') return found;
    if (found.state === 'kept') return await readKept(found, memory);
    if (found.state === 'reused') throw reused('was sent before with another body: choose a new one');
    if (found.state === 'used up') throw usedUp();
    if (waited >= waitMs) throw new GatewayError('idempotency_in_progress', runningMessage);
    await pause(lookMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function readKept({ bytes, read }: KeptClaim, memory: RequestMemory | undefined): Promise<Claimed> {
  if (memory?.admit(bytes * bytesPerCharacter) === false) throw serverBusy();
  const answer = await read();
  if (!answer) throw usedUp();
  return { state: 'kept', answer };
}

/** One text can be compressed in many ways, and with the time. */
function textOf({ body, contentEncoding }: Sent, memory: RequestMemory | undefined): string | Buffer {
  if (typeof body === 'string') return body;
  const bytes = decodeBody(body, contentCodings(contentEncoding));
  if (memory?.admit(bytes.length) === false) throw serverBusy();
  return bytes;
}

const digestOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

const runningMessage = `A request with this ${header} still runs. Send it again later to get its answer.`;

const reused = (problem: string) => invalid(header, problem).with({ code: 'idempotency_key_reused' });

const usedUp = () => reused('was answered before, and the answer was audio, a secret, or too large to keep');

/** The answer again, as one text. */
export async function respondWithKept(
  { headers, text }: KeptAnswer,
  options: RespondOptions,
): Promise<HttpAnswer> {
  await options.finished({ status: 200 });
  const own = { ...commonHeaders(options), ...options.cors, 'idempotent-replayed': 'true' };
  return { statusCode: 200, headers: { ...headers, ...own }, body: text };
}

interface Keeping {
  readonly claim: FirstClaim;
  /** Whether a stream has ended without an error. */
  readonly isComplete: () => boolean;
  /** Whether nothing was sent: then the key is that of a request still to come. */
  readonly isDry?: boolean;
  readonly log: Pick<Log, 'warn'>;
  /** Absent: what is held of an answer is not counted. */
  readonly memory?: RequestMemory | undefined;
}

/** The answer, which is kept once it is complete. */
export async function keptFor(answer: HttpAnswer, keeping: Keeping): Promise<HttpAnswer> {
  const { statusCode, body } = answer;
  const { claim, isComplete, isDry, log, memory } = keeping;
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => !ownHeaders.test(name)),
  );
  const warn = (cause: unknown) => log.warn('answer not kept', failureFields(cause));
  const textToKeep = () => {
    const text = new CopiedText(memory);
    return isNotKept(headers) ? text.leave() : text;
  };
  const end = async (copy: CopiedText | undefined) => {
    if (copy) {
      const { text } = copy;
      const kept = claim.keep(text === undefined ? undefined : { headers, text });
      if (await kept.then(() => true, warn)) return;
    }
    await claim.release().catch(warn);
  };
  if (isDry) {
    await end(undefined);
    return answer;
  }
  if (typeof body === 'string') {
    await end(statusCode === 200 ? textToKeep().add(body) : undefined);
    return answer;
  }
  return {
    ...answer,
    body: {
      async sendTo(response) {
        const text = textToKeep();
        try {
          await outliving(body, (piece) => text.add(piece)).sendTo(response);
        } finally {
          await end(isComplete() ? text : undefined);
        }
      },
    },
  };
}

/** A copy of an answer. */
class CopiedText {
  /** Undefined once it is too large to keep, or there is no memory for it. */
  text: string | undefined = '';
  readonly #memory: RequestMemory | undefined;

  constructor(memory: RequestMemory | undefined) {
    this.#memory = memory;
  }

  /** It is not kept. */
  leave(): this {
    this.text = undefined;
    return this;
  }

  add(piece: string): this {
    if (this.text === undefined) return this;
    const isSmall = this.text.length + piece.length <= maxKeptBytes;
    const isHeld = isSmall && this.#memory?.admit(piece.length * bytesPerCharacter) !== false;
    this.text = isHeld ? this.text + piece : undefined;
    return this;
  }
}
