/** What a process has for guardrails: policies that it has read, and detectors. Loaded with the first request that needs it. */
import { failureFields } from '../core/errors/failure-fields.ts';
import type { Detect, HighestCost } from '../core/guardrails/detection.ts';
import type { Policy, Rule } from '../core/guardrails/policy.ts';
import type { Guardrails } from '../core/ports/guardrails.ts';
import type { Log } from '../core/ports/log.ts';
import type { PostForText } from '../core/ports/webhooks.ts';
import { localDetector } from '../pipeline/guard/local/detect.ts';
import type { ProviderParts } from '../pipeline/guard/remote/call-provider.ts';
import { highestRemoteCost } from '../pipeline/guard/remote/costs.ts';
import { findRemoteDetector, type RemoteParts } from '../pipeline/guard/remote/find-remote-detector.ts';
import { createPolicyStore } from '../stores/access/guardrails.ts';
import { createLru } from '../stores/lru.ts';
import type { Foundation } from './foundation.ts';

/** Versions never change, so they are read once. */
const maxPolicies = 200;

/** Texts in which a remote rule found nothing are not sent again for so long. */
const passedMs = 3_600_000;
const maxPassed = 1_000;

export function createGuardrails(
  { table, now, environment, log }: Foundation,
  calling: ProviderParts,
): Guardrails {
  const store = createPolicyStore(table('access'));
  const policies = createLru<Policy>(maxPolicies);
  const detectors = new WeakMap<Rule, Promise<Detect>>();
  const passed = createLru<number>(maxPassed);
  /** A local gateway may call any address. */
  const postForText: PostForText = async (url, request, bounds) => {
    const { createTextPoster } = await import('../transport/webhook-poster.ts');
    return await createTextPoster({ isLocal: environment.DYNAMODB_ENDPOINT !== undefined })(
      url,
      request,
      bounds,
    );
  };
  return {
    async findPolicy(tenant, { id, version }) {
      const key = `${tenant} ${id} ${version}`;
      const known = policies.get(key) ?? (await store.find(tenant, id, version));
      if (known) policies.set(key, known);
      return known;
    },
    findDetector(rule) {
      const known = detectors.get(rule);
      if (known) return known;
      const found = detectorOf(rule, { ...calling, postForText, now }).then((detect) =>
        reporting(rule, detect, log),
      );
      detectors.set(rule, found);
      found.catch(() => detectors.delete(rule));
      return found;
    },
    highestCost,
    passed: {
      has: (key) => (passed.get(key) ?? 0) > now(),
      add: (key) => passed.set(key, now() + passedMs),
    },
  };
}

async function detectorOf(rule: Rule, parts: RemoteParts): Promise<Detect> {
  switch (rule.kind) {
    case 'words':
    case 'pattern':
    case 'pii':
    case 'secrets':
      return localDetector(rule);
    default:
      return await findRemoteDetector(rule, parts);
  }
}

/** An alarm counts these lines. What the detector was asked is not in them. */
const reporting =
  (rule: Rule, detect: Detect, log: Log): Detect =>
  async (texts, phase, options) => {
    try {
      return await detect(texts, phase, options);
    } catch (error) {
      if (!options.signal.aborted || options.signal.reason?.name === 'TimeoutError')
        log.warn('guardrail failed', {
          rule: rule.id,
          kind: rule.kind,
          tenant: options.tenant,
          ...failureFields(error),
        });
      throw error;
    }
  };

const highestCost: HighestCost = (rule, characters) => {
  switch (rule.kind) {
    case 'words':
    case 'pattern':
    case 'pii':
    case 'secrets':
      return 0;
    default:
      return highestRemoteCost(rule, characters);
  }
};
