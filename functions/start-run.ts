/** Starts the workers of background responses, which are loaded with the first one that runs here. */
import type { StartRun } from '../lib/core/background.ts';
import { startRunOf } from '../lib/runtime/background-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';

export const startRun = (variables: Variables): StartRun | undefined =>
  startRunOf(variables, () => import('./run-response.ts'));
