/** The ways of a line through its operation: prepared for a job, read from one, and sent as a single request. */
import { lazyFor } from '../../async/lazy.ts';
import { isOpen } from '../../batches/live/asked.ts';
import { deploymentKey } from '../../batches/ports.ts';
import { priceOf } from '../../core/accounting/price.ts';
import type { Price } from '../../core/catalog/price.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { HttpRequest } from '../../core/ports/http.ts';
import { dataPoliciesOf } from '../../core/tenancy.ts';
import { createJobMeter } from '../../metering/batches/job-meter.ts';
import { createNotingMeter, lineAmounts } from '../../metering/batches/noting-meter.ts';
import { bodyText } from '../../pipeline/dry-run/noting-connections.ts';
import { batchProviders } from '../../providers/batches/forms.ts';
import { rootOf, settingsOf } from '../../providers/provider.ts';
import { dataRule } from '../../routing/data-rule.ts';
import { createLimitStore } from '../../stores/limits/limits.ts';
import { createUsageStore } from '../../stores/usage/usage.ts';
import { creditElsewhere, type Variables } from '../environment.ts';
import { foundationOf } from '../foundation.ts';
import { generationRuntime } from '../generation-runtime.ts';
import { askedBefore, askedLater, askedNow } from './line-guardrails.ts';
import { ownAccountsOf, partitionsOf, withoutDataPolicies, withoutOwn } from './line-keys.ts';
import {
  answeringConnections,
  meterOfBatch,
  noResponses,
  notingConnections,
  silentLog,
  steadyHealth,
} from './line-runtime.ts';
import type { LineParts, SentLine } from './line-runtimes.ts';
import { catalogOf, catalogWithout, catalogWithoutOwn, createNativeCatalog } from './native-catalog.ts';

const flex = 'flex';

/** Longer than any line takes that nothing is waited for. */
export const longMs = 600_000;

export const linePartsOf = lazyFor((variables: Variables): LineParts => {
  const foundation = foundationOf(variables);
  const { environment, now, log, table } = foundation;
  const {
    claimAnswer: _,
    createStream: __,
    measure: ___,
    noteKeyUse: ____,
    noteRefusal: ________,
    readOn: _____,
    startAhead: ______,
    // A line is paid for at the price of batches, and no one waits for it.
    answerCache: _______,
    ...runtime
  } = generationRuntime(variables);
  const { catalog, providers, connections, newId } = runtime;
  const { findAccess } = connections;
  const native = createNativeCatalog({ catalog, providers, findAccess, batchProviders, now });
  const quiet = { ...runtime, responses: noResponses, isTraced: false, log: silentLog, health: steadyHealth };
  /** Whether a provider has an account that the tenant has credentials of its own for. */
  const isOwn = (key: FoundApiKey) => async (name: string) => {
    const provider = await providers.load(name).catch(() => undefined);
    return ownAccountsOf(key)?.includes(provider ? settingsOf(provider).account : name) === true;
  };
  const identified = (key: FoundApiKey) => ({ identify: async () => key });
  const usage = createUsageStore({ ...table('usage'), now, ledgerDays: environment.GATEWAY_LEDGER_DAYS });

  async function sentOf(
    view: typeof catalog,
    sent: readonly HttpRequest[],
    meter: ReturnType<typeof createNotingMeter>,
  ): Promise<SentLine | undefined> {
    const last = sent.at(-1);
    const first = meter.request();
    if (!last || !first) return undefined;
    const { model, provider: name, region } = first;
    const [provider, access, row] = await Promise.all([
      providers.load(name),
      findAccess(name),
      view.find(model),
    ]);
    const deployment = row?.deployments.find((one) => one.provider === name && one.region === region);
    if (!provider || !row || !deployment) return undefined;
    // A single request is sent by itself later, perhaps with the tenant's own credential, whose host is another one.
    const root = view === catalog ? '' : rootOf(provider, region, access);
    const most = meter.maxUse();
    const granted = meter.granted();
    const price = priceOf({ model: row, deployment }, now() / 1_000)?.price;
    return {
      model,
      provider: name,
      region,
      priceFactor: view === catalog ? liveFactor(price) : await native.factorOf(model, deployment),
      isSingle: sent.filter(({ url }) => url === last.url).length === 1,
      request: { path: last.url.slice(root.length), body: bodyText(last.body), headers: ownHeaders(last) },
      upstreamModel: deployment.upstreamId,
      snapshot: { ...row, deployments: [deployment] },
      first,
      amount: most ? lineAmounts(most, granted).amount : null,
      granted,
      cheaperTier: price?.serviceTiers?.[flex] === undefined ? undefined : flex,
    };
  }

  return {
    async barredBy({ model: id, provider, region }, key) {
      const model = await catalog.find(id);
      const deployment = model?.deployments.find((one) => one.provider === provider && one.region === region);
      if (!model || !deployment) return undefined;
      const own = await Promise.all(model.deployments.map(({ provider: name }) => isOwn(key)(name)));
      if (own.includes(true)) return 'batch_not_supported';
      const policies = dataPoliciesOf(key);
      if (policies.length === 0) return undefined;
      const forbids = dataRule({ policies, own: await catalog.dataFacts?.() });
      // Lines rest at the provider until its batch is read.
      const reason = forbids({ model, deployment: { ...deployment, retainsData: true } });
      return reason === undefined ? undefined : 'data_policy';
    },
    jobMeter: createJobMeter({
      usage,
      limits: createLimitStore({ ...table('usage'), now }),
      log,
      now,
      newId,
      creditElsewhere: creditElsewhere(environment),
    }),
    preparing(key, { native: isNative, without }) {
      const { sent, connections: noting } = notingConnections(connections);
      const meter = createNotingMeter();
      const isLeftOut: Parameters<typeof catalogWithout>[1] = (model, { provider, region }) =>
        without.has(deploymentKey({ model, provider, region }));
      const ofGateway = ownAccountsOf(key) ? catalogWithoutOwn(native, catalog, isOwn(key)) : native;
      const seen = without.size > 0 ? catalogWithout(ofGateway, isLeftOut) : ofGateway;
      const view = isNative ? seen : catalog;
      const { loadGuardrails } = runtime;
      let isBlocked = false;
      const block = () => {
        isBlocked = true;
      };
      return {
        isBlocked: () => isBlocked,
        runtime: {
          ...quiet,
          loadGuardrails: isNative ? askedNow(loadGuardrails, block) : askedLater(loadGuardrails),
          ...identified(isNative ? withoutOwn(key) : key),
          catalog: view,
          connections: noting,
          openMeter: meter.openMeter,
        },
        sent: () => sentOf(view, sent, meter),
      };
    },
    reading(key, { snapshot: { model, path }, sentAt, result, openMeter, guard }) {
      const { isAnswered, connections: answering } = answeringConnections(connections, { ...result, path });
      return {
        runtime: {
          ...quiet,
          loadGuardrails: askedBefore(runtime.loadGuardrails, guard),
          // It was sent while the policies of then allowed that.
          ...identified(withoutDataPolicies(withoutOwn(key))),
          catalog: catalogOf(model),
          connections: answering,
          openMeter,
          now: () => sentAt,
        },
        remainingMs: () => (isAnswered() ? 0 : longMs),
      };
    },
    findRecord: (key, requestId) => usage.find(key.tenant, requestId, partitionsOf(key)),
    live(key, batch, lost) {
      const opened =
        lost && isOpen(lost) ? { record: lost.record, partitions: partitionsOf(key) } : undefined;
      const isCharged = lost !== undefined && !opened;
      const meter = isCharged ? createNotingMeter().openMeter : runtime.openMeter;
      const { openMeter, record } = meterOfBatch(meter, batch, opened);
      return {
        runtime: { ...runtime, ...identified(key), responses: noResponses, openMeter },
        record: isCharged ? () => undefined : record,
      };
    },
  };
});

/** Of a single request, at the tier that costs less where there is one. */
function liveFactor(price: Price | undefined): number | null {
  if (!price) return null;
  const tier = price.serviceTiers?.[flex];
  if (tier === undefined || typeof tier === 'string') return 1;
  return Math.round(((tier.input + tier.output) / (price.input + price.output)) * 10_000) / 10_000;
}

/** Those that change what a request means; the others are of the account. */
const ownHeaders = ({ headers }: HttpRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('anthropic-')));
