/**
 * Guardrails of lines of batches. What a detector elsewhere says of a line costs something each time, so that it is asked once: of a line
 * for a job when that is planned, of a single request when it is sent.
 */
import { sumOfAmounts } from '../../core/accounting/ledger.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Detect } from '../../core/guardrails/detection.ts';
import type { GuardRecord } from '../../core/guardrails/guard-record.ts';
import type { Rule } from '../../core/guardrails/policy.ts';
import type { Guardrails } from '../../core/ports/guardrails.ts';
import { hasFound, isLocalRule, unknown } from '../../pipeline/guard/session.ts';

type Load = () => Promise<Guardrails>;

const unasked: Detect = async () => unknown;

/** Of a line that is sent by itself later. */
export const askedLater =
  (load: Load): Load =>
  async () => {
    const guardrails = await load();
    return {
      ...guardrails,
      findDetector: async (rule) => (isLocalRule(rule) ? await guardrails.findDetector(rule) : unasked),
    };
  };

/** What looks at the input beside the call waits for its answer: that is when a line of a job is read. */
const isBefore = (rule: Rule): boolean => !isLocalRule(rule) && rule.when !== 'parallel';

/** Of a line that is planned for a job. `onBlock`: what it asks for is not sent to anyone. */
export const askedNow =
  (load: Load, onBlock: () => void): Load =>
  async () => {
    const guardrails = await load();
    return {
      ...guardrails,
      async findDetector(rule) {
        if (!isLocalRule(rule) && !isBefore(rule)) return unasked;
        const detect = await guardrails.findDetector(rule);
        if (isLocalRule(rule) || rule.action !== 'block') return detect;
        return async (texts, ...options) => {
          const detection = await detect(texts, ...options);
          if (hasFound(detection, texts)) onBlock();
          return detection;
        };
      },
    };
  };

/**
 * Of a line that a job has answered: detectors have said already what they say of its input, and it costs what it did. What is taken out must
 * be known again, to put it back into the answer: a rule that redacts is asked once more.
 */
export const askedBefore =
  (load: Load, records: readonly GuardRecord[]): Load =>
  async () => {
    const guardrails = await load();
    const said = new WeakMap<Rule, GuardRecord>();
    return {
      ...guardrails,
      async findPolicy(tenant, reference) {
        const policy = await guardrails.findPolicy(tenant, reference);
        for (const rule of policy?.rules ?? []) {
          const record = records.find(
            (one) => one.policy === reference.id && one.version === reference.version && one.rule === rule.id,
          );
          if (record && isBefore(rule)) said.set(rule, record);
        }
        return policy;
      },
      async findDetector(rule) {
        const record = said.get(rule);
        const detect = await guardrails.findDetector(rule);
        return record ? repeating(record, detect, rule.action === 'redact') : detect;
      },
    };
  };

function repeating(record: GuardRecord, detect: Detect, isAskedAgain: boolean): Detect {
  let isCounted = false;
  return async (texts, phase, options) => {
    if (phase !== 'input') return await detect(texts, phase, options);
    const { units, cost } = isCounted ? { units: 0, cost: 0 } : record;
    isCounted = true;
    if (isAskedAgain) {
      const again = await detect(texts, phase, options);
      return { ...again, units: again.units + units, cost: sumOfAmounts([again.cost, cost]) };
    }
    if (record.action === 'failed') throw new GatewayError('upstream_failed', 'The detector did not answer.');
    return { findings: (record.labels ?? []).map((label) => ({ text: 0, label })), units, cost };
  };
}
