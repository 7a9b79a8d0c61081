/** What the limits of a request would say to it now: one read of each, and nothing is held. */
import type { LimitStore } from '../../core/accounting/limits.ts';
import type { MaxUse } from '../../core/ports/metering.ts';
import { countedBy, type Limited, wantedOf } from './limited.ts';
import { checkBounds, refusalOf } from './limits-refusal.ts';

interface PreviewParts {
  readonly store: Pick<LimitStore, 'preview'>;
  readonly now: () => number;
  /** Throws if the request would not pass unchecked. */
  readonly onUnavailable: (error: unknown) => void;
}

/** Resolves with the output tokens that all of them would grant. Rejects with the GatewayError of a refusal. */
export async function previewAdmission(
  limited: readonly Limited[],
  max: MaxUse,
  { store, now, onUnavailable }: PreviewParts,
): Promise<number> {
  let output = max.output.max;
  for (const { scope, limits } of limited) {
    const use = countedBy(limits, max);
    checkBounds({ kind: scope.kind, limits }, use);
    const wanted = wantedOf(use, output, { id: '', at: now() });
    const admission = await store.preview(scope, limits, wanted).catch(onUnavailable);
    const { refusedBy, isHeld, usage } = admission ?? {};
    if (refusedBy && usage) {
      const refused = { kind: scope.kind, limits, refusedBy, usage, output: wanted.output, now: now() };
      throw refusalOf({ ...refused, ...(isHeld && { isHeld }) });
    }
    output = admission?.output ?? output;
  }
  return output;
}
