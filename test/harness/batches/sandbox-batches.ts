/** The sandbox as the upstream of batch forms, at a pace that a test sets, with answers that can be lost on their way. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import type { HttpRequest, Send } from '../../../lib/core/ports/http.ts';
import type { ProviderAccess } from '../../../lib/core/ports/provider-access.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import type {
  BatchAccount,
  BatchForm,
  JobToSubmit,
  LineResult,
  UpstreamJob,
} from '../../../lib/providers/batches/batch-form.ts';
import { openBatchAccount } from '../../../lib/providers/batches/open-account.ts';
import { createHttpClient } from '../../../lib/transport/http-client/http-client.ts';
import { sandboxRoutes } from '../../../local/providers.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';

export interface SandboxBatches {
  /** The part of its lines that a batch has answered. A test begins with 0. */
  answered: number;
  isExpired: boolean;
  /** The answers to these requests are lost. */
  loses: (request: HttpRequest) => boolean;
  /** The requests of the test. */
  readonly sent: HttpRequest[];
  /** Of this provider, or of another one with the same sandbox. */
  account(access?: Partial<ProviderAccess>, called?: string): BatchAccount;
}

export function useSandboxBatches(name: string, region = 'global'): SandboxBatches {
  const client = createHttpClient();
  let sandbox: Sandbox;
  const { base = '' } = sandboxRoutes.find(({ provider }) => provider === name) ?? {};
  const send: Send = async (request, options) => {
    batches.sent.push(request);
    const response = await client.send(request, options);
    if (!batches.loses(request)) return response;
    for await (const _ of response.body);
    throw new GatewayError('upstream_cut', 'The answer was lost.');
  };
  const batches: SandboxBatches = {
    answered: 0,
    isExpired: false,
    loses: () => false,
    sent: [],
    account(access = {}, called = name) {
      const provider = providers.get(called);
      if (!provider) throw new Error(`There is no provider '${called}'.`);
      const baseUrl = `${sandbox.url}${base}`;
      const whole = { apiKey: 'sandbox', sandbox: true, settings: {}, ...access, baseUrl };
      return openBatchAccount({ provider, access: whole, region, send });
    },
  };
  beforeAll(async () => {
    const pace = { answered: () => batches.answered, isExpired: () => batches.isExpired };
    sandbox = await startSandbox(sandboxRoutes, { pauseMs: 0, pace });
  });
  beforeEach(() => {
    batches.answered = 0;
    batches.isExpired = false;
    batches.loses = () => false;
    batches.sent.length = 0;
  });
  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });
  return batches;
}

let jobs = 0;

/** A job with an id of its own; the ids of its lines begin with it. */
export function jobOf(
  path: string,
  upstreamModel: string,
  bodies: readonly (JsonObject | string)[],
): JobToSubmit {
  jobs += 1;
  const id = `job-${jobs}-${Date.now()}`;
  return {
    id,
    attempt: 1,
    upstreamModel,
    path,
    count: bodies.length,
    bytes: JSON.stringify(bodies).length,
    metadata: {},
    async *lines() {
      for (const [index, body] of bodies.entries()) yield { id: `${id}_${index}`, request: { path, body } };
    },
  };
}

/** Submits, and gives what was noted after each step. */
export async function submit(form: BatchForm, account: BatchAccount, job: JobToSubmit) {
  const noted: UpstreamJob[] = [];
  const upstream = await form.submit(account, job, async (known) => void noted.push(known));
  return { upstream, noted };
}

/** The index of a line in its job. */
const indexOf = ({ id }: LineResult): number => Number(id.split('_').at(-1));

/** Polls once, and reads the results; `byLine` has each under the index of its line. */
export async function collect(form: BatchForm, account: BatchAccount, upstream: UpstreamJob) {
  const state = await form.poll(account, upstream);
  const results: LineResult[] = [];
  for await (const result of form.results(account, state.upstream ?? upstream)) results.push(result);
  const byLine = new Map(results.map((result) => [indexOf(result), result]));
  return { state, order: results.map(indexOf), byLine, upstream: state.upstream ?? upstream };
}

/** The answer of a line: its status and body. */
export function answerOf(result: LineResult | undefined) {
  if (!result || !('body' in result)) throw new Error('The line was not answered.');
  return { status: result.status, body: JSON.parse(result.body) };
}
