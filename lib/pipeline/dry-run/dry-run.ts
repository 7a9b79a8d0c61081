/**
 * A request that is not sent: it goes the way of every other to where a provider would be called, and its answer is empty. No
 * connection to a provider is opened, nothing is reserved and nothing is billed. It counts as a request.
 */
import { type CacheWish, concernsCache } from '../../core/caching.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { appliedPolicies } from '../../core/guardrails/applied.ts';
import type { MediaKind } from '../../core/ports/media.ts';
import { type MaxUse, noUse } from '../../core/ports/metering.ts';
import { lineAmounts } from '../../metering/batches/noting-meter.ts';
import type { Change } from '../../normalization/rule.ts';
import type { Attempt } from '../../routing/attempt.ts';
import type { Cacheable } from '../cache/open-cache.ts';
import type { ModelTask } from '../model-task.ts';
import type { PipelineParts } from '../parts.ts';
import { type PlannedRequest, planRequest, runTargets, type TargetAnswer } from '../run-targets.ts';
import { bodyText, notingConnections } from './noting-connections.ts';

/** How many tokens the input has, and whether they were counted as the provider does. */
export interface InputTokens {
  readonly inputTokens: number;
  readonly exact: boolean;
}

/** In the public format. */
export type DryRun = Readonly<Record<string, unknown>>;

export type DryAnswer<Prepared> = Omit<TargetAnswer<Prepared, undefined>, 'answer'> & {
  /** `changes`: all those of the request. */
  readonly report: (counted: InputTokens, changes: readonly Change[]) => DryRun;
};

/** Of the request, what is looked at beside its task. */
interface DryAsked {
  readonly guardrails?: readonly string[];
  readonly cache?: CacheWish;
}

/**
 * Rejects with GatewayError as the request itself would, but for a limit: that it would refuse is in the report. `cacheable`: what is
 * looked up of the request; absent: nothing.
 */
export async function dryRun<Prepared>(
  parts: PipelineParts,
  task: ModelTask<Prepared, unknown>,
  call: Call<unknown>,
  asked: DryAsked,
  cacheable?: () => Promise<Cacheable>,
): Promise<DryAnswer<Prepared>> {
  call.facts.dryRun = true;
  const policies = appliedPolicies(call.key ?? {}, asked.guardrails);
  const planned = await planRequest(parts, task, { ...call, facts: { attempts: [] } });
  const cache =
    cacheable && concernsCache(call.key, asked.cache)
      ? await (await import('../cache/open-cache.ts')).cacheVerdict(parts, planned, await cacheable(), call)
      : undefined;
  const { preview = async () => undefined } = call;
  // What is given from the cache counts as a request, and uses nothing.
  const fit: Admit = cache?.status === 'hit' ? () => preview(() => noUse) : preview;
  const { refusal, answer } = await withinLimits(fit, (admit) =>
    noteOnce(parts, task, { ...call, admit }, planned),
  );
  await call.admit(() => noUse);
  const { granted, most, sent, notFetched, ...first } = answer;
  const amount = most && lineAmounts(most, granted).amount;
  return {
    ...first,
    report: ({ inputTokens, exact }, changes) => ({
      targets: writeTargets(first),
      sent: sent ? writeSent(bodyText(sent.body)) : null,
      ...(notFetched.length > 0 && { not_fetched: notFetched }),
      normalizations: changes,
      ...(policies.length > 0 && { guardrails: policies.map(({ id, version }) => ({ id, version })) }),
      ...(cache && { cache }),
      input_tokens: inputTokens,
      exact,
      highest_cost: amount == null ? null : amount / nanoDollars,
      fits: refusal === undefined,
      ...(refusal && { refused_by: { code: refusal.code, message: refusal.message } }),
      granted_output: granted ?? null,
    }),
  };
}

type Admit = Call<unknown>['admit'];

/** Once more without them where the limits would refuse the request. */
async function withinLimits<Result>(
  preview: Admit,
  run: (admit: Admit) => Promise<Result>,
): Promise<{ readonly refusal?: GatewayError; readonly answer: Result }> {
  let isRefused = false;
  const admit: Admit = async (maxUse) => {
    isRefused = true;
    const granted = await preview(maxUse);
    isRefused = false;
    return granted;
  };
  try {
    return { answer: await run(admit) };
  } catch (refusal) {
    if (!(isRefused && refusal instanceof GatewayError)) throw refusal;
    return { refusal, answer: await run(async () => undefined) };
  }
}

async function noteOnce<Prepared>(
  parts: PipelineParts,
  task: ModelTask<Prepared, unknown>,
  call: Call<unknown>,
  planned: PlannedRequest<Prepared>,
) {
  const notFetched: string[] = [];
  const { sharedCache } = parts.connections;
  const { sent, connections } = notingConnections(parts.connections, {
    async fetchMedia(_url, { kind, param }) {
      notFetched.push(param);
      const [mediaType, head] = media[kind];
      const bytes = Buffer.from(`${head} not fetched in a dry run`, 'latin1');
      return { mediaType, blocks: [bytes], length: bytes.length };
    },
    sharedCache: {
      // Content that is not cached at its provider yet is not cached there now: something stands for its name.
      find: async (key, options) => (await sharedCache.find(key, options)) ?? JSON.stringify(uncreated),
      set: async () => {},
      delete: async () => {},
      claim: async () => false,
    },
  });
  const { isFailing } = parts.health;
  const health = { isFailing, failed: () => {}, succeeded: () => {} };
  let most: MaxUse | undefined;
  let granted: number | undefined;
  const unsent: ModelTask<Prepared, undefined>['call'] = async (prepared, options) => {
    await task.call(prepared, options).catch((thrown) => {
      if (sent.length === 0) throw thrown;
    });
    return undefined;
  };
  const { answer: _, ...first } = await runTargets(
    { ...parts, connections, health },
    { ...task, call: unsent },
    {
      ...call,
      facts: { attempts: [] },
      begin: () => {},
      async admit(maxUse) {
        most = maxUse();
        granted = await call.admit(maxUse);
        return granted;
      },
    },
    planned,
  );
  // What is counted or asked beside the call for the answer comes before it.
  const last = sent.at(-1);
  return { ...first, most, granted, notFetched, sent: sent.find(({ url }) => url === last?.url) };
}

const nanoDollars = 1_000_000_000;

/** Cached content of Gemini that would be created. */
const uncreated = { name: 'cachedContents/not-created-in-a-dry-run' };

/** What stands for media that the gateway would fetch begins as one of its type does. */
const media: Readonly<Record<MediaKind, readonly [type: string, head: string]>> = {
  image: ['image/png', '\x89PNG\r\n\x1a\n'],
  file: ['application/pdf', '%PDF-'],
  office: ['application/zip', 'PK\x03\x04'],
  text: ['text/plain', ''],
  video: ['video/mp4', 'ftypftypmp4'],
  audio: ['audio/flac', 'fLaC'],
};

interface Planned {
  readonly targets: readonly Target[];
  readonly attempts: readonly Attempt[];
}

/** In the order in which they would be tried, then those that would not be. */
function writeTargets({ targets, attempts }: Planned): readonly object[] {
  const failed = attempts.filter(({ status }) => status === 'failed');
  const excluded = attempts.filter(({ status, target }) => status === 'skipped' && !targets.includes(target));
  return [
    ...targets.map((target) => writeTarget(target, failed.find((one) => one.target === target)?.reason)),
    ...excluded.map(({ target, reason }) => writeTarget(target, reason)),
  ];
}

function writeTarget(
  { model, deployment: { provider, region }, credential }: Target,
  reason: string | undefined,
): object {
  const own = credential && { credential: credential.id };
  return { model: model.id, provider, region, ...own, ...(reason !== undefined && { excluded_by: reason }) };
}

/** The longest body that is shown whole, in characters. */
const maxShown = 64 * 1024;

/** JSON; of a longer one its beginning, as a text that says so. */
function writeSent(text: string): unknown {
  if (text.length <= maxShown) return JSON.parse(text);
  return `${text.slice(0, maxShown)}… (the first ${maxShown} of ${text.length} characters)`;
}
