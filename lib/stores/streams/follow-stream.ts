/**
 * Processes the changes of a whole stream: its shards beside each other, each after the one that it continues. Positions of one item
 * are so in order, also where a shard was split.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ownFailureFields } from '../../core/errors/failure-fields.ts';
import { type FollowOptions, followShard } from './follow-shard.ts';
import type { Shard } from './stream-calls.ts';

/** Shards that are processed at a time; a batch of each is in memory. The others wait their turn. */
const maxShardsAtOnce = 64;

/** How often new shards are looked for; a shard that has ended is followed at once. */
const listMs = 10_000;
const failedMs = 5_000;

interface StreamOptions extends FollowOptions {
  readonly listMs?: number;
}

/** Resolves when `signal` aborts, after the running batches. Rejects never. */
export async function followStream(options: StreamOptions, signal: AbortSignal): Promise<void> {
  const { calls, log } = options;
  const running = new Map<string, Promise<void>>();
  const ended = new Set<string>();
  let wake = new AbortController();
  while (!signal.aborted) {
    wake = new AbortController();
    let waitMs = options.listMs ?? listMs;
    try {
      const stream = await calls.find();
      const shards = await calls.shards(stream);
      forgetOthers(ended, shards);
      for (const { id } of ready(shards, running, ended).slice(0, maxShardsAtOnce - running.size)) {
        const follow = followShard(stream, id, { ...options, signal }).then(() => {
          running.delete(id);
          if (!signal.aborted) ended.add(id);
          wake.abort();
        });
        running.set(id, follow);
      }
    } catch (error) {
      log.warn('stream not found', ownFailureFields(error));
      waitMs = Math.min(waitMs, failedMs);
    }
    await sleep(waitMs, undefined, { signal: AbortSignal.any([signal, wake.signal]) }).catch(() => undefined);
  }
  await Promise.all(running.values());
}

/** Those whose earlier shard was processed, or is no longer there. */
function ready(
  shards: readonly Shard[],
  running: ReadonlyMap<string, unknown>,
  ended: ReadonlySet<string>,
): readonly Shard[] {
  const there = new Set(shards.map(({ id }) => id));
  return shards.filter(({ id, parent }) => {
    const isNext = parent === undefined || !there.has(parent) || ended.has(parent);
    return isNext && !running.has(id) && !ended.has(id);
  });
}

function forgetOthers(ended: Set<string>, shards: readonly Shard[]): void {
  const there = new Set(shards.map(({ id }) => id));
  for (const id of ended) if (!there.has(id)) ended.delete(id);
}
