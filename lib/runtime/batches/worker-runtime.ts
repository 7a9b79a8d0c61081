/** The parts of the worker of batches, but for the operations by which it answers lines. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BatchParts } from '../../batches/ports.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { loadBatchForm } from '../../providers/batches/forms.ts';
import { openBatchAccount } from '../../providers/batches/open-account.ts';
import type { Variables } from '../environment.ts';
import { filesRuntime } from '../files-runtime.ts';
import { foundationOf } from '../foundation.ts';
import { generationRuntime } from '../generation-runtime.ts';
import { batchesRuntime } from './batches-runtime.ts';
import { linePartsOf } from './line-parts.ts';

const defaultPollMs = 60_000;

export function workerParts(variables: Variables): Omit<BatchParts, 'lines'> {
  const { environment, log, now } = foundationOf(variables);
  const { files, bytes } = filesRuntime(variables);
  const { catalog, providers, connections, findKeyByHash, newId } = generationRuntime(variables);
  return {
    ...batchesRuntime(variables),
    files,
    bytes,
    holds: linePartsOf(variables).jobMeter,
    barredBy: linePartsOf(variables).barredBy,
    loadForm: loadBatchForm,
    async openAccount(name, region) {
      const [provider, access] = await Promise.all([providers.load(name), connections.findAccess(name)]);
      if (!provider)
        throw new GatewayError('upstream_credentials', `There is no provider '${name}' any more.`);
      return openBatchAccount({ provider, access, region, send: connections.send });
    },
    findKey: findKeyByHash,
    async isServed({ model, provider, region }) {
      const row = await catalog.find(model);
      if (!row || row.status === 'retired') return false;
      return row.deployments.some((one) => one.provider === provider && one.region === region);
    },
    newId,
    now,
    sleep: async (milliseconds, signal) => await pause(milliseconds, undefined, { signal }).catch(() => {}),
    log,
    pollMs: environment.GATEWAY_BATCH_POLL_MS ?? defaultPollMs,
  };
}
