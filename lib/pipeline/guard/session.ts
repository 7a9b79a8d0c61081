/** The rules of one request: their detectors are asked, and what they did is noted. */
import type { RequestFacts } from '../../core/endpoint.ts';
import type { ErrorKind } from '../../core/errors/error-kinds.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { guardrailUnavailable } from '../../core/guardrails/applied.ts';
import type { Detection, Finding } from '../../core/guardrails/detection.ts';
import { type GuardRecord, strictest } from '../../core/guardrails/guard-record.ts';
import type { Action, Phase, Policy, Rule } from '../../core/guardrails/policy.ts';
import type { Guardrails } from '../../core/ports/guardrails.ts';
import type { Tags } from './tags.ts';

/** A rule with its policy, and what it does there. */
export interface ActiveRule {
  readonly policy: Policy;
  readonly rule: Rule;
  readonly action: Action;
}

export interface Session {
  /** Of the input. */
  readonly rules: readonly ActiveRule[];
  /** Whether a rule changes the answer, so that it cannot be the one that its provider sent. */
  readonly changesAnswer: boolean;
  readonly guardrails: Guardrails;
  readonly tenant: string;
  readonly signal: AbortSignal;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly facts: RequestFacts;
  readonly tags: Tags;
}

/** What asking the detector of a rule takes. */
export type AskingSession = Pick<Session, 'tenant' | 'signal' | 'now' | 'facts'> & {
  readonly guardrails: Pick<Guardrails, 'findDetector' | 'highestCost'>;
};

const localKinds: ReadonlySet<string> = new Set(['words', 'pattern', 'pii', 'secrets']);
export const isLocalRule = ({ kind }: Pick<Rule, 'kind'>): boolean => localKinds.has(kind);
export const isLocal = ({ rule }: ActiveRule): boolean => isLocalRule(rule);

/** Of an answer that is only reported on, each rule only flags. */
export function rulesFor(policies: readonly Policy[], phase: Phase): readonly ActiveRule[] {
  return policies.flatMap((policy) => {
    const onlyFlags = phase === 'output' && policy.output === 'flag';
    return policy.rules
      .filter(({ on }) => on.includes(phase))
      .map((rule) => ({ policy, rule, action: onlyFlags ? 'flag' : rule.action }));
  });
}

const defaultTimeoutMs = 800;

const nothing: Detection = { findings: [], units: 0, cost: 0 };

/** Of an open rule whose detector did not answer. */
export const unknown: Detection = { ...nothing };

/**
 * What a rule finds in the texts; nothing if its detector fails and the rule is open. Rejects with GatewayError
 * `guardrail_unavailable` if it is closed.
 */
export async function detect(
  session: AskingSession,
  active: ActiveRule,
  texts: readonly string[],
  phase: Phase,
): Promise<Detection> {
  const { rule, policy, action } = active;
  if (texts.every((text) => text === '')) return nothing;
  const begun = session.now();
  const ended = (
    record: Pick<GuardRecord, 'action' | 'units' | 'cost'> & { readonly labels?: readonly string[] },
  ) =>
    note(session.facts, {
      policy: policy.id,
      version: policy.version,
      rule: rule.id,
      phase,
      ms: session.now() - begun,
      ...record,
    });
  try {
    const detection = await ask(session, active, texts, phase);
    const { units, cost, findings } = detection;
    const isFound = hasFound(detection, texts);
    ended({ action: isFound ? action : 'pass', units, cost, ...(isFound && { labels: labelsOf(findings) }) });
    return detection;
  } catch (error) {
    if (session.signal.aborted) throw session.signal.reason;
    const isOpen = (rule.onFailure ?? (action === 'flag' ? 'open' : 'closed')) === 'open';
    ended({ action: 'failed', units: 0, cost: costOfFailure(session, rule, texts, error) });
    if (isOpen) return unknown;
    throw guardrailUnavailable(policy.id, `the detector of its rule '${rule.id}' did not answer`).with({
      cause: error,
    });
  }
}

/** What was refused is not billed. What did not answer may be: then it is the most that it may cost. */
function costOfFailure(
  { guardrails }: AskingSession,
  rule: Rule,
  texts: readonly string[],
  error: unknown,
): number | null {
  if (error instanceof GatewayError && !isUnanswered.has(error.kind)) return 0;
  return guardrails.highestCost(rule, lengthOf(texts));
}

const isUnanswered: ReadonlySet<ErrorKind> = new Set(['upstream_timeout', 'upstream_invalid_answer']);

export const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0);

async function ask(
  { guardrails, tenant, signal }: AskingSession,
  active: ActiveRule,
  texts: readonly string[],
  phase: Phase,
): Promise<Detection> {
  const find = await guardrails.findDetector(active.rule);
  if (isLocal(active)) return await find(texts, phase, { signal, tenant });
  const timeout = AbortSignal.timeout(active.rule.timeoutMs ?? defaultTimeoutMs);
  const ending = AbortSignal.any([signal, timeout]);
  return await Promise.race([find(texts, phase, { signal: ending, tenant }), rejectedBy(ending)]);
}

/** A detector that does not end by its signal is not waited for. */
const rejectedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

export const hasFound = ({ findings, replaced }: Detection, texts: readonly string[]): boolean =>
  findings.length > 0 || (replaced?.some((text, index) => text !== texts[index]) ?? false);

const maxLabels = 8;

const labelsOf = (findings: readonly Finding[]): readonly string[] =>
  [...new Set(findings.map(({ label }) => label))].slice(0, maxLabels);

/** What one rule did in one phase is one record, however many calls it took. */
function note(facts: RequestFacts, record: GuardRecord): void {
  const records = [...(facts.guard ?? [])];
  const index = records.findIndex(
    ({ policy, rule, phase }) => policy === record.policy && rule === record.rule && phase === record.phase,
  );
  const before = records[index];
  if (!before) {
    facts.guard = [...records, record];
    return;
  }
  const labels = [...new Set([...(before.labels ?? []), ...(record.labels ?? [])])].slice(0, maxLabels);
  records[index] = {
    ...before,
    action: strictest(record.action, before.action),
    ...(labels.length > 0 && { labels }),
    ms: before.ms + record.ms,
    units: before.units + record.units,
    cost: before.cost === null || record.cost === null ? null : before.cost + record.cost,
  };
  facts.guard = records;
}

/** `path`: where the caller wrote what was found. */
export const blockedInput = ({ policy, rule }: ActiveRule, path: string): GatewayError =>
  new GatewayError(
    'guardrail_blocked',
    `The guardrail '${policy.id}' does not allow this request: its rule '${rule.id}' applies to '${path}'.`,
    { param: path },
  );
