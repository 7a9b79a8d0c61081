/** All providers at once, for what looks at each of them: checks, commands, the local gateway. */
import { loadAllProviders } from '../lib/providers/registry.ts';

export const providers = await loadAllProviders();
