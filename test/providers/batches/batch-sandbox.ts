/** The sandbox as the batch APIs of providers, over HTTP, with accounts of their own authorization. Tests say how far batches are. */
import { providers } from '../../../lib/providers/all-providers.ts';
import type {
  BatchAccount,
  JobLine,
  JobToSubmit,
  LineResult,
} from '../../../lib/providers/batches/batch-form.ts';
import { openBatchAccount } from '../../../lib/providers/batches/open-account.ts';
import { createHttpClient } from '../../../lib/transport/http-client/http-client.ts';
import { sandboxRoutes } from '../../../local/providers.ts';
import type { SandboxRequest } from '../../../sandbox/exchange.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { use } from '../../harness/use.ts';

const timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 20_000 };

export function useBatchSandbox() {
  const state = {
    /** Which part of the lines is answered. */
    answered: 1,
    isExpired: false,
    /** Which requests have no answer: because they do not arrive, or although they do. */
    loses: (_request: SandboxRequest): 'answer' | 'request' | undefined => undefined,
    /** What was asked, such as `POST /batches`. */
    asked: [] as string[],
  };
  const pace = { answered: () => state.answered, isExpired: () => state.isExpired };
  const routes = sandboxRoutes.map((route) => ({
    ...route,
    handle: (request: SandboxRequest) => {
      state.asked.push(`${request.method} ${request.path}`);
      const lost = state.loses(request);
      const answer = lost === 'request' ? undefined : route.handle(request);
      if (lost || !answer) throw new Error('The connection is closed.');
      return answer;
    },
  }));
  const sandbox = use(() => startSandbox(routes, { pauseMs: 0, pace }));
  const client = use(createHttpClient);

  /** The account of a provider, which is in the sandbox. */
  function accountOf(name: string, settings: BatchAccount['settings'] = {}): BatchAccount {
    const provider = providers.get(name);
    if (!provider) throw new Error(`There is no provider '${name}'.`);
    const base = sandboxRoutes.find((route) => route.provider === name)?.base ?? '';
    const access = { apiKey: 'a-key', baseUrl: `${sandbox.url}${base}`, settings };
    return openBatchAccount({ provider, access, region: 'global', send: client.send, timeouts });
  }
  return { state, accountOf };
}

let jobs = 0;

/** A job of these bodies, all for one path. */
export function jobOf(model: string, path: string, bodies: readonly object[]): JobToSubmit {
  jobs += 1;
  const id = `job-${jobs}-${Date.now().toString(36)}`;
  const lines = bodies.map(
    (body, n): JobLine => ({ id: `${id}_${n}`, request: { path, body: { model, ...body } } }),
  );
  return {
    id,
    attempt: 1,
    upstreamModel: model,
    path,
    count: lines.length,
    async *lines() {
      yield* lines;
    },
    bytes: JSON.stringify(lines).length,
    metadata: { gateway_job: id },
  };
}

/** The results by the number of their line. */
export async function collect(results: AsyncIterable<LineResult>): Promise<ReadonlyMap<number, LineResult>> {
  const all = new Map<number, LineResult>();
  for await (const result of results) all.set(Number(result.id.split('_').at(-1)), result);
  return all;
}
