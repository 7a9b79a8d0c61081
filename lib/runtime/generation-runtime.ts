/** The parts of a function that calls models: the providers, the ways to them, and how they fared lately. */

import { lazy, lazyFor } from '../async/lazy.ts';
import type { NoteRefusal } from '../core/accounting/refusal.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import type { AnswerCache } from '../core/ports/answer-cache.ts';
import type { NoteKeyUse } from '../core/ports/api-keys.ts';
import type { Guardrails } from '../core/ports/guardrails.ts';
import type { Send } from '../core/ports/http.ts';
import type { ClaimAnswer } from '../core/ports/kept-answers.ts';
import type { FetchMedia } from '../core/ports/media.ts';
import type { OpenMeter } from '../core/ports/metering.ts';
import type { MeasureRequest } from '../core/ports/request-metrics.ts';
import type { CreateStream } from '../core/ports/resumable-streams.ts';
import { createReadOn, type ReadOn } from '../core/read-on.ts';
import { createOpenLimits } from '../metering/limits/limits.ts';
import { createOpenMeter } from '../metering/meter.ts';
import { createMeasureRequest } from '../metering/request-metrics.ts';
import type { Connections } from '../pipeline/use/account.ts';
import type { Providers } from '../providers/provider.ts';
import { createProviders } from '../providers/registry.ts';
import { createHealth, type Health } from '../routing/health.ts';
import { createKeyStore } from '../stores/access/keys.ts';
import { createNoteKeyUse } from '../stores/access/note-key-use.ts';
import { createFindHost, createHostStore } from '../stores/catalog/hosts.ts';
import { createLimitStore } from '../stores/limits/limits.ts';
import { createSharedCache } from '../stores/shared-cache.ts';
import { createLedgerWrites } from '../stores/usage/ledger-writes.ts';
import { accountsOf } from './accounts.ts';
import { claimAnswerOf } from './claim-answer.ts';
import { creditElsewhere, type Environment, type Variables } from './environment.ts';
import { type Foundation, foundationOf } from './foundation.ts';
import { lastingRecords } from './records/lasting-records.ts';
import { type Runtime, runtimeOf } from './runtime.ts';
import { createStartAhead, type StartAhead } from './start-ahead.ts';

export interface GenerationRuntime extends Runtime {
  readonly providers: Providers;
  readonly connections: Connections;
  /** How the targets fared lately, as far as this environment has seen. */
  readonly health: Health;
  /** Absent for lines of batches. */
  readonly answerCache?: () => Promise<AnswerCache>;
  readonly openMeter: OpenMeter;
  readonly noteKeyUse: NoteKeyUse;
  readonly noteRefusal: NoteRefusal;
  readonly claimAnswer: ClaimAnswer;
  readonly createStream: CreateStream;
  readonly readOn: ReadOn;
  /** Absent where log lines have no metrics. */
  readonly measure: MeasureRequest | undefined;
  readonly startAhead: StartAhead;
  readonly loadGuardrails: () => Promise<Guardrails>;
}

/** An hour: longer than a conversation usually pauses, and what a forgotten prefix may cost. */
export const defaultCacheSeconds = 3_600;

export const generationRuntime = lazyFor((variables: Variables) =>
  createGenerationRuntime(foundationOf(variables)),
);

/** A request leaves once what is noted of it is written. */
const onceWritten =
  (written: () => Promise<void> | undefined, send: Send): Send =>
  (request, options) => {
    const writing = written();
    return writing ? writing.then(() => send(request, options)) : send(request, options);
  };

function createGenerationRuntime(foundation: Foundation): GenerationRuntime {
  const { variables, environment, log, now, send, preconnect, table } = foundation;
  const runtime = runtimeOf(variables);
  const providers = createProviders({
    find: createFindHost({ store: createHostStore(table('catalog')), now }),
    warn: (host, reason) => log.warn('malformed host row', { host, reason }),
  });
  const { createGroupPut, written, ...lasting } = lastingRecords(variables);
  const findShared = accountsOf(foundation, providers);
  const loadOwn = lazy(async () => {
    const { ownCredentialsOf } = await import('./own-keys/own-credentials.ts');
    return ownCredentialsOf(foundation, findShared);
  });
  const noteRefusal = lazy(async () => {
    const [{ createNoteRefusal }, { createRefusalStore }] = await Promise.all([
      import('../stores/usage/note-refusal.ts'),
      import('../stores/usage/refusals.ts'),
    ]);
    const warn = (cause: unknown) => log.warn('refusal not noted', failureFields(cause));
    return createNoteRefusal({ store: createRefusalStore({ ...table('usage'), now }), now, warn });
  });
  const createStream = lazy(async () => {
    const { createStreams } = await import('../stores/resumable-streams.ts');
    return createStreams({ ...table('state'), now });
  });
  const connections: Connections = {
    send: written ? onceWritten(written, send) : send,
    ...(preconnect && { preconnect }),
    findAccess: (provider, credential) =>
      credential ? loadOwn().then((own) => own.access(provider, credential)) : findShared(provider),
    loadOwn,
    fetchMedia,
    sharedCache: createSharedCache({
      ...table('state'),
      now,
      warn: (cause) => log.warn('state table failed', failureFields(cause)),
    }),
    tracedProviders: listed(environment.GATEWAY_TRACE_PROVIDERS),
    maxCacheSeconds: environment.GATEWAY_CACHE_SECONDS ?? defaultCacheSeconds,
    timeouts: timeoutsOf(environment),
  };
  return {
    ...runtime,
    openMeter: createOpenMeter({
      ...lasting,
      usage: createLedgerWrites({
        ...table('usage'),
        ledgerDays: environment.GATEWAY_LEDGER_DAYS,
        groupPut: createGroupPut?.(table('usage')),
      }),
      openLimits: createOpenLimits({
        store: createLimitStore({
          ...table('usage'),
          now,
          onRebased: (item) => log.warn('limits were ahead of the clock', { item }),
        }),
        log,
        now,
        newId: runtime.newId,
        creditElsewhere: creditElsewhere(environment),
      }),
      log,
      newId: runtime.newId,
    }),
    noteKeyUse: createNoteKeyUse({
      keys: createKeyStore(table('access')),
      now,
      warn: (cause) => log.warn('access table failed', failureFields(cause)),
    }),
    async noteRefusal(request, error) {
      await (await noteRefusal())(request, error);
    },
    answerCache: lazy(async () => {
      const [{ createAnswerCache }, { deriveKeyOf }] = await Promise.all([
        import('../stores/answer-cache.ts'),
        import('./stack-secret.ts'),
      ]);
      const derive = deriveKeyOf(variables);
      const warn = (cause: unknown) => log.warn('cached answer not read', failureFields(cause));
      const timeoutMs = environment.GATEWAY_CACHED_ANSWER_TIMEOUT_MS;
      const secret = () => derive('cached answers');
      return createAnswerCache({ ...table('state'), secret, now, warn, timeoutMs });
    }),
    createStream: async (stream) => (await createStream())(stream),
    claimAnswer: claimAnswerOf(foundation),
    readOn: createReadOn(environment.GATEWAY_READ_ON_MS),
    measure: measureOf(environment),
    providers,
    startAhead: createStartAhead(foundation, providers),
    health: createHealth({ now }),
    connections,
    loadGuardrails: lazy(async () => {
      const { createGuardrails } = await import('./guardrails-runtime.ts');
      return createGuardrails(foundation, { providers, connections });
    }),
  };
}

/** Few requests bring a URL that their provider does not fetch itself: what fetches it is loaded with the first. */
const fetchMedia: FetchMedia = async (url, options) => (await loadFetcher())(url, options);

/** One for all requests: it counts connections. */
const loadFetcher = lazy(async () => {
  const { createMediaFetcher } = await import('../transport/media-fetcher.ts');
  return createMediaFetcher();
});

const listed = (text = ''): readonly string[] => text.split(',').flatMap((one) => one.trim() || []);

function measureOf(environment: Environment): MeasureRequest | undefined {
  const { GATEWAY_METRICS: namespace, GATEWAY_METRIC_MODELS: models = '' } = environment;
  if (namespace === undefined) return undefined;
  return createMeasureRequest({ namespace, models: new Set(models.split(',').filter(Boolean)) });
}

function timeoutsOf(environment: Environment): Connections['timeouts'] {
  const connectMs = environment.GATEWAY_CONNECT_TIMEOUT_MS;
  const firstByteMs = environment.GATEWAY_FIRST_BYTE_TIMEOUT_MS;
  const idleMs = environment.GATEWAY_SILENCE_TIMEOUT_MS;
  return {
    ...(connectMs !== undefined && { connectMs }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(idleMs !== undefined && { idleMs }),
  };
}
