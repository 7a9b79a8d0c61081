/** All providers, loaded at once, for checks, commands and the local gateway. */
import { loadAllProviders } from './registry.ts';

export const providers = await loadAllProviders();
