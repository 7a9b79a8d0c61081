/** What a request asks of routing. */
import type { ProviderPreferences } from './provider-preferences.ts';

export interface Routing {
  readonly fallbacks: readonly string[];
  readonly fallbackPaths?: readonly string[];
  readonly preferences?: ProviderPreferences;
  /** True: a target that would leave out a parameter is not used. */
  readonly requireParameters?: boolean;
}
