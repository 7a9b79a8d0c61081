/** The inputs of the plan: what the caller may use, and which deployments the gateway can call. The order is `routing`'s. */

import type { Target } from '../core/catalog/model.ts';
import type { Call } from '../core/endpoint.ts';
import type { ProviderAccess } from '../core/ports/provider-access.ts';
import { dataPoliciesOf } from '../core/tenancy.ts';
import type { Provider } from '../providers/provider.ts';
import type { Availability } from '../routing/deployments.ts';
import { type Plan, plan } from '../routing/plan.ts';
import { notAllowed } from '../routing/resolve-model.ts';
import { allowedModels } from './check-allowed.ts';
import type { ModelTask } from './model-task.ts';
import type { ownTargets } from './own/own-targets.ts';
import type { PipelineParts } from './parts.ts';

type PlannedTask = Omit<ModelTask<unknown, unknown>, 'firstOutputMs' | 'prepare' | 'call' | 'modify'>;

/** Rejects with GatewayError for a model, or a fallback, that is unknown, not allowed, or cannot do what is needed. */
export async function planTargets(
  parts: PipelineParts,
  task: PlannedTask,
  call: Call<unknown>,
): Promise<Plan> {
  const { catalog, health, now } = parts;
  const conversation = () => conversationOf(task, call);
  const isAllowed = allowedModels(call.key);
  checkAlsoCalled(task, isAllowed);
  const wanted = wantsOfData(task, call)
    ? await (await import('./data/forbidden-by.ts')).readWishes({ catalog }, task, call)
    : undefined;
  const withOwn = call.key?.tenantPolicy?.ownProviders && (await withOwnOf(parts, call.key));
  return plan(
    { catalog, health, availability: (target) => availabilityOf(parts, target, task.canServe) },
    {
      ...task,
      withOwn,
      conversation,
      ...wanted,
      choiceKey: () => conversation() ?? call.requestId,
      prices: (target) => ({ seconds: now() / 1000, maxInputTokens: task.maxTokens(target).input }),
      noteModel: (id) => {
        call.facts.model = id;
      },
      isAllowed,
    },
  );
}

/** Whether anything is wanted of what becomes of the request's content, by the caller or its policies. */
function wantsOfData(
  { preferences = {} }: Pick<PlannedTask, 'preferences'>,
  { key }: Call<unknown>,
): boolean {
  const { noCollection, noRetention } = preferences;
  return noCollection === true || noRetention === true || dataPoliciesOf(key).length > 0;
}

/** Whether no provider may keep anything of a request. */
export const keepsNothing = (
  { preferences }: Pick<PlannedTask, 'preferences'>,
  { key }: Pick<Call<unknown>, 'key'>,
): boolean => preferences?.noRetention === true || dataPoliciesOf(key).some(({ zdr }) => zdr);

/** Few tenants have credentials of their own. */
async function withOwnOf(parts: Parameters<typeof ownTargets>[0], key: Parameters<typeof ownTargets>[1]) {
  const own = await import('./own/own-targets.ts');
  return own.ownTargets(parts, key);
}

/** A tool may name the model that it is to use, and the provider knows nothing of what a key allows. */
function checkAlsoCalled(
  { alsoCalls }: Pick<PlannedTask, 'alsoCalls'>,
  isAllowed: (id: string) => boolean,
): void {
  const refused = alsoCalls?.().find(({ model }) => !isAllowed(model));
  if (refused) throw notAllowed(refused.model, refused.param);
}

/** Two tenants may use the same name for a session, and say the same. */
export function conversationOf(
  { conversation }: Pick<PlannedTask, 'conversation'>,
  { key, sessionId }: Call<unknown>,
): string | undefined {
  const own = sessionId ?? conversation?.();
  return own === undefined ? undefined : `${key?.tenant} ${own}`;
}

/** A host row or credentials that cannot be read count as absent: another target may still answer. */
async function availabilityOf(
  { providers, connections }: Pick<PipelineParts, 'providers' | 'connections'>,
  target: Target,
  canServe: PlannedTask['canServe'],
): Promise<Availability> {
  const name = target.deployment.provider;
  let provider: Provider | undefined;
  let access: ProviderAccess | undefined;
  try {
    provider = await providers.load(name);
  } catch {}
  if (!provider || !canServe(provider, target)) return 'absent';
  try {
    access = await connections.findAccess(name);
  } catch {}
  if (target.credential) return access?.sandbox ? 'sandbox' : 'real';
  if (!access || !provider.isConfigured(access)) return 'absent';
  return access.sandbox ? 'sandbox' : 'real';
}
