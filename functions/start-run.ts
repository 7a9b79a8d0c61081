/** Starts the workers of background responses, which are loaded with the first one that runs here. */
import type { BackgroundStore, StartRun } from '../lib/core/background.ts';
import type { Log } from '../lib/core/ports/log.ts';
import { notifyingRuns } from '../lib/operations/responses/background/end-event.ts';
import { startRunOf } from '../lib/runtime/background-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';

interface StartParts {
  readonly log: Log;
  readonly background: { readonly runs: BackgroundStore };
}

/** With `start`, and where a worker sends the event of each end that is written. */
export function withStart<Runtime extends StartParts>(runtime: Runtime, variables: Variables) {
  const start: StartRun | undefined = startRunOf(variables, () => import('./run-and-notify.ts'));
  const { background, log } = runtime;
  return {
    ...runtime,
    background: {
      ...(background as Runtime['background']),
      start,
      runs: notifyingRuns(background.runs, start, log),
    },
  };
}
