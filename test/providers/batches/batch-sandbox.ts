/** The sandbox as the batch APIs of providers, over HTTP, with accounts of their own authorization. Tests say how far batches are. */
import type { ProviderAccess } from '../../../lib/core/ports/provider-access.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import type {
  BatchAccount,
  BatchForm,
  JobLine,
  JobToSubmit,
  LineRequest,
  LineResult,
  UpstreamJob,
} from '../../../lib/providers/batches/batch-form.ts';
import { openBatchAccount } from '../../../lib/providers/batches/open-account.ts';
import { settingsOf } from '../../../lib/providers/provider.ts';
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
    /** The same, whole. */
    requests: [] as SandboxRequest[],
  };
  const pace = { answered: () => state.answered, isExpired: () => state.isExpired };
  const routes = sandboxRoutes.map((route) => ({
    ...route,
    handle: (request: SandboxRequest) => {
      state.asked.push(`${request.method} ${request.path}`);
      state.requests.push(request);
      const lost = state.loses(request);
      const answer = lost === 'request' ? undefined : route.handle(request);
      if (lost || !answer) throw new Error('The connection is closed.');
      return answer;
    },
  }));
  const sandbox = use(() => startSandbox(routes, { pauseMs: 0, pace }));
  const client = use(createHttpClient);

  /** The account of a provider, which is in the sandbox. `more`: its access beside its key. */
  function accountOf(
    name: string,
    settings: BatchAccount['settings'] = {},
    { region = 'global', ...more }: Partial<ProviderAccess> & { readonly region?: string } = {},
  ): BatchAccount {
    const provider = providers.get(name);
    if (!provider) throw new Error(`There is no provider '${name}'.`);
    const { account } = settingsOf(provider);
    const base = sandboxRoutes.find((route) => route.provider === account)?.base ?? '';
    const access = { apiKey: 'a-key', baseUrl: `${sandbox.url}${base}`, sandbox: true, settings, ...more };
    return openBatchAccount({ provider, access, region, send: client.send, timeouts });
  }
  return { state, accountOf };
}

let jobs = 0;

/** A job of these bodies, all for one path; their model is a field of each. */
export const jobOf = (model: string, path: string, bodies: readonly object[]): JobToSubmit =>
  jobAt(
    model,
    path,
    bodies.map((body) => ({ model, ...body })),
  );

/** The same, of bodies as they are: their model is in the path. */
export function jobAt(model: string, path: string, bodies: readonly LineRequest['body'][]): JobToSubmit {
  jobs += 1;
  const id = `job-${jobs}-${Date.now().toString(36)}`;
  const lines = bodies.map((body, n): JobLine => ({ id: `${id}_${n}`, request: { path, body } }));
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

/** Submits, and gives what was noted after each step. */
export async function submit(form: BatchForm, account: BatchAccount, job: JobToSubmit) {
  const noted: UpstreamJob[] = [];
  const upstream = await form.submit(account, job, async (known) => void noted.push(known));
  return { upstream, noted };
}

/** Looks once, and reads the results as far as there are some. */
export async function look(form: BatchForm, account: BatchAccount, known: UpstreamJob) {
  const state = await form.poll(account, known);
  const upstream = state.upstream ?? known;
  const byLine = await collect(form.results(account, upstream));
  return { state, upstream, byLine, order: [...byLine.keys()] };
}

/** The answer of a line: its status and body. */
export function answerOf(result: LineResult | undefined) {
  if (!result || !('body' in result)) throw new Error('The line was not answered.');
  return { status: result.status, body: JSON.parse(result.body) };
}
