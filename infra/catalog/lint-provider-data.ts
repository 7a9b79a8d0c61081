/** What is known of providers' handling of data becomes old: who relies on it must look again. */
import { providerData } from '../../lib/core/catalog/provider-data.ts';

/** Days after which a source is to be read again. */
const maxAgeDays = 180;
const dayMs = 86_400_000;

/** Warnings, for people. `now`: Unix milliseconds. */
export const lintProviderData = (now: number, data = providerData): readonly string[] =>
  Object.entries(data).flatMap(([provider, { source, checked }]) =>
    now - Date.parse(checked) > maxAgeDays * dayMs
      ? [`What ${provider} does with data was read on ${checked}: look at ${source} again.`]
      : [],
  );
