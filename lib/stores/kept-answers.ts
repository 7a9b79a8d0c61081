/**
 * Kept answers, in the state table: an item for each key that a caller chose (`answer#<tenant>#<name>`), and the answer in pieces beside
 * it, encrypted with a key that only the item has.
 */
import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../core/formats/json-object.ts';
import {
  type Claim,
  type ClaimAnswer,
  type FirstClaim,
  type KeptAnswer,
  maxKeptBytes,
} from '../core/ports/kept-answers.ts';
import type { SharedPart } from '../core/stored-response.ts';
import { expiryAttribute } from '../core/tables.ts';
import { type Condition, openTable, type StoredItem, type TableOptions } from './dynamodb/table.ts';
import { maxPieceBytes, type Place, readPart, writePart } from './responses/pieces.ts';

interface KeptAnswersOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
}

const dayMs = 24 * 3_600_000;

/** Added to the time limit of a request, since the clocks of two processes may differ. */
const graceMs = 30_000;

export function createClaimAnswer(options: KeptAnswersOptions): ClaimAnswer {
  const { now } = options;
  const table = openTable(options);
  return async ({ tenant, name, body }, lastsMs) => {
    const place: Place = {
      table,
      prefix: (owner) => `answer#${encodeURIComponent(tenant)}#${owner}`,
      pieceBytes: maxPieceBytes,
    };
    const key = place.prefix(name);
    const claim = randomUUID();
    const expires = Math.floor((now() + dayMs) / 1_000);
    const fields = { body, claim, [expiryAttribute]: expires };
    const running = { ...fields, state: 'running', until_ms: now() + lastsMs + graceMs };
    const isOwn: Condition = {
      expression: '#claim = :claim',
      names: { '#claim': 'claim' },
      values: { ':claim': claim },
    };
    const isOwnRunning: Condition = {
      expression: `${isOwn.expression} AND #state = :running`,
      names: { ...isOwn.names, '#state': 'state' },
      values: { ...isOwn.values, ':running': 'running' },
    };
    const release = async () => {
      await table.put(key, { ...fields, state: 'free' }, isOwnRunning);
    };
    const isClaimed = await table.put(key, running, isFree(now())).catch(async (cause: unknown) => {
      // It may have been written all the same.
      await release().catch(() => {});
      throw cause;
    });
    if (!isClaimed) {
      const item = await table.get(key, { consistent: true });
      // A write whose answer is lost is repeated, and then finds itself.
      if (item?.claim !== claim) return claimed(place, body, item);
    }
    const first: FirstClaim = {
      state: 'first',
      async keep(answer) {
        const json = answer && Buffer.from(JSON.stringify(answer));
        const isKept = json !== undefined && json.length <= maxKeptBytes;
        const part = isKept && (await writePart(place, json, { owner: name, expiresAt: expires }));
        await table.put(key, { ...fields, state: 'answered', ...(part && { part }) }, isOwn);
        return isKept;
      },
      release,
    };
    return first;
  };
}

/** Items expire late. */
const isFree = (now: number): Condition => ({
  expression:
    'attribute_not_exists(#state) OR #state = :free OR #expires <= :seconds OR (#state = :running AND #until <= :now)',
  names: { '#state': 'state', '#expires': expiryAttribute, '#until': 'until_ms' },
  values: { ':free': 'free', ':running': 'running', ':seconds': Math.floor(now / 1_000), ':now': now },
});

function claimed(place: Place, body: string, item: StoredItem | undefined): Claim {
  // It was released in the meantime.
  if (!item) return { state: 'running' };
  if (item.body !== body) return { state: 'reused' };
  if (item.state !== 'answered') return { state: 'running' };
  const { part } = item;
  if (!isPart(part)) return { state: 'used up' };
  return { state: 'kept', bytes: part.bytes, read: () => readAnswer(place, part) };
}

async function readAnswer(place: Place, part: SharedPart): Promise<KeptAnswer | undefined> {
  const json = await readPart(place, part);
  const answer: unknown = json && JSON.parse(json.toString());
  return isAnswer(answer) ? answer : undefined;
}

const isPart = (value: unknown): value is SharedPart => isJsonObject(value) && typeof value.key === 'string';

const isAnswer = (value: unknown): value is KeptAnswer =>
  isJsonObject(value) && typeof value.text === 'string' && isJsonObject(value.headers);
