/** Tries the rules of a guardrail on one text, each for itself: nothing is blocked, billed or kept. */
import type { RequestFacts } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { RuleTrial, Trial, TryPolicy } from '../../core/guardrails/trial.ts';
import { RefusedUrl } from '../../core/ports/webhooks.ts';
import { type ActiveRule, type AskingSession, detect, isLocal, rulesFor } from './session.ts';

interface TryParts {
  readonly guardrails: AskingSession['guardrails'];
  /** The time in milliseconds. */
  readonly now: () => number;
}

export const createTryPolicy =
  ({ guardrails, now }: TryParts): TryPolicy =>
  async (policy, trial) => {
    const session = { guardrails, now, tenant: trial.tenant, signal: trial.signal };
    return await Promise.all(
      rulesFor([policy], trial.phase).map((active) =>
        trial.remote || isLocal(active) ? tryRule(session, active, trial) : notAsked(active),
      ),
    );
  };

const nothing = { findings: [], ms: 0, units: 0, cost: 0 };

const notAsked = ({ rule }: ActiveRule): RuleTrial => ({ rule, action: 'not_asked', ...nothing });

/** A rule that lets pass what it could not look at fails as well. */
async function tryRule(
  session: Omit<AskingSession, 'facts'>,
  active: ActiveRule,
  { text, phase }: Trial,
): Promise<RuleTrial> {
  const { rule } = active;
  const facts: RequestFacts = { attempts: [] };
  const closed: ActiveRule = { ...active, rule: { ...rule, onFailure: 'closed' } };
  const found = await detect({ ...session, facts }, closed, [text], phase).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || error.kind !== 'guardrail_unavailable') throw error;
    return { findings: [], failure: failureOf(error.cause) };
  });
  const { action = 'pass', ms = 0, units = 0, cost = 0 } = facts.guard?.[0] ?? {};
  const failure = 'failure' in found ? { failure: found.failure } : {};
  return { rule, action, ms, units, cost, findings: found.findings, ...failure };
}

/** What is wrong with an address or a status may be shown; what else was thrown may have more in it. */
function failureOf(cause: unknown): string {
  if (cause instanceof GatewayError || cause instanceof RefusedUrl) return cause.message;
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  return isLate ? 'The detector did not answer in time.' : 'The detector could not be reached.';
}
