/** The result of a scenario, from what the caller got for one request and from the provider's log. */
import type { WallCall } from './failing-provider.ts';

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly ms: number;
  /** Without the time in which the machine was busy. */
  readonly waitedMs: number;
  /** `truncated`: returned as a success although text is missing. */
  readonly outcome: 'whole' | 'error' | 'truncated';
  /** The model named in the answer. */
  readonly model: string | undefined;
  readonly outputTokens: number | undefined;
  readonly error:
    | { readonly message: string; readonly type: string; readonly code: string | null }
    | undefined;
  readonly routing: readonly { readonly model: string; readonly status: string }[];
}

export interface Judged {
  readonly seen: Seen;
  readonly model: string;
  readonly fallbackModel: string;
  /** Calls of the scenario's own model and of its fallback since the scenario started. */
  readonly primary: readonly WallCall[];
  readonly fallback: readonly WallCall[];
  /** Whether a regular request is answered afterwards. */
  readonly alive: boolean;
}

export type ScenarioResult = 'pass' | 'safe' | 'fail';

/** Each check by its name; all of them must hold. */
export type Checks = Readonly<Record<string, boolean>>;

/**
 * `pass`: the best result for the caller; `safe`: an error instead; `fail`: a check does not hold, or a partial answer was
 * returned as complete.
 */
export function judge(best: 'whole' | 'error', { outcome }: Seen, checks: Checks): ScenarioResult {
  if (outcome === 'truncated' || Object.values(checks).includes(false)) return 'fail';
  if (outcome === best) return 'pass';
  return outcome === 'error' ? 'safe' : 'fail';
}
