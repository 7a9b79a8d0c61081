/** The requests of the example: times of people and of programs, attempts that fail, caches that help. The same at every run. */
import type { FinishedAttempt, FinishedRequest, LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { priceAt } from '../../../lib/core/accounting/price.ts';
import type { Deployment, Model } from '../../../lib/core/catalog/model.ts';
import type { Usage } from '../../../lib/core/generation/usage.ts';
import { withTime } from '../../../lib/core/names/request-id.ts';
import { billOf } from '../../../lib/metering/cost/bill.ts';
import type { Random } from '../../harness/random.ts';
import type { Habit } from './example-people.ts';

const dayMs = 86_400_000;

/** No request of a day is newer than this: those of the last hour are apart. */
const newestMs = 3_600_000;

export interface Asking {
  readonly tenant: string;
  readonly key: string;
  readonly habit: Habit;
}

/** Of the last so many days, the oldest first. */
export function* requestsOf(
  { tenant, key, habit }: Asking,
  models: ReadonlyMap<string, Model>,
  random: Random,
  days: number,
): Generator<LedgerRecord> {
  const asking = { tenant, key, habit };
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  for (let day = today - (days - 1) * dayMs; day <= today; day += dayMs) {
    // A little more is asked every week.
    const growth = 0.6 + (0.4 * (day - today + days * dayMs)) / (days * dayMs);
    const count = Math.round(habit.perDay * growth * shareOfDay(day, habit) * (0.75 + random.next() / 2));
    const times = Array.from({ length: count }, () => day + Math.floor(timeOfDay(habit, random))).sort(
      (a, b) => a - b,
    );
    for (const at of times) {
      const model = models.get(random.one(habit.models));
      if (model && at < Date.now() - newestMs) yield billOf(request(asking, model, at, random));
    }
  }
  // Something has just been asked: health is that of the last hour. The first place of the newest one was overloaded.
  for (const minutes of [41, 23, 9, 4]) {
    const model = models.get(habit.models[0] ?? '');
    if (model) yield billOf(request(asking, model, Date.now() - minutes * 60_000, random, minutes === 4));
  }
}

function shareOfDay(day: number, { byPeople }: Habit): number {
  const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
  return byPeople && isWeekend ? 0.15 : 1;
}

/** In milliseconds: around midday for people, at any time for programs. */
function timeOfDay({ byPeople }: Habit, random: Random): number {
  if (!byPeople) return random.next() * dayMs;
  const middle = (random.next() + random.next() + random.next()) / 3;
  return (7 + middle * 12) * 3_600_000;
}

function request(
  { tenant, key, habit }: Asking,
  model: Model,
  at: number,
  random: Random,
  isOverloaded = random.chance(0.03),
): FinishedRequest {
  const [first, second] = model.deployments as readonly [Deployment, ...Deployment[]];
  const waits = second !== undefined && isOverloaded;
  const fails = !waits && random.chance(0.012);
  const attempts: FinishedAttempt[] = [];
  const firstByte = Math.round(habit.firstByteMs * (0.5 + random.next() + random.next() * random.next()));
  const writing = habit.outputTokens * 11 * (0.6 + random.next());
  let begun = at;
  if (waits) {
    attempts.push({
      ...attemptAt(model, first, begun),
      endedAt: begun + 800,
      error: 'provider_overloaded',
      inputTokens: habit.inputTokens,
    });
    begun += 900;
  }
  const place = waits ? second : first;
  const totalMs = Math.round(begun - at + firstByte + (fails ? 0 : writing));
  const usage = fails ? {} : { usage: usageOf(habit, random) };
  const error = fails
    ? { error: random.one(['provider_error', 'provider_rate_limit', 'deadline_exceeded']) }
    : {};
  attempts.push({
    ...attemptAt(model, place, begun),
    ...usage,
    ...error,
    endedAt: at + totalMs,
    inputTokens: habit.inputTokens,
  });
  const user = habit.users.length > 0 ? random.one(habit.users) : undefined;
  return {
    requestId: withTime(uuid(random), at),
    at,
    tenant,
    key,
    ...(user && { user, session: `${user}-${random.between(100, 140)}` }),
    ...(habit.tags && { tags: habit.tags }),
    operation: habit.operation,
    requestedModel: model.id,
    model: model.id,
    provider: place.provider,
    region: place.region,
    attempts,
    status: fails ? 503 : 200,
    ...error,
    streamed: habit.operation !== 'embeddings',
    ...(!fails && { firstByteMs: begun - at + firstByte }),
    totalMs,
    normalizations: random.chance(0.2) ? random.between(1, 3) : 0,
  };
}

function attemptAt(model: Model, { provider, region, upstreamId, prices }: Deployment, at: number) {
  const price = priceAt(prices ?? model.prices, at / 1000);
  return { provider, region, upstreamId, model: model.id, at, ...(price && { price }) };
}

function usageOf({ inputTokens, cachedShare, outputTokens }: Habit, random: Random): Usage {
  const promptTokens = Math.round(inputTokens * (0.4 + random.next() * 1.2));
  const cachedTokens = random.chance(0.85) ? Math.round(promptTokens * cachedShare) : 0;
  const completionTokens = Math.round(outputTokens * (0.3 + random.next() * 1.4));
  return {
    promptTokens,
    cachedTokens,
    cacheWriteTokens: 0,
    completionTokens,
    reasoningTokens: Math.round(completionTokens * 0.3),
  };
}

function uuid(random: Random): string {
  const hex = (length: number) => Array.from({ length }, () => random.between(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
