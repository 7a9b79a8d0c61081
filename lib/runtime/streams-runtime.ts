/** The parts of the function that reads streams which can be resumed. */
import { lazyFor } from '../async/lazy.ts';
import type { FindStream } from '../core/ports/resumable-streams.ts';
import { findStreams } from '../stores/resumable-streams.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';
import { type Runtime, runtimeOf } from './runtime.ts';

interface StreamsRuntime extends Runtime {
  readonly findStream: FindStream;
}

export const streamsRuntime = lazyFor((variables: Variables): StreamsRuntime => {
  const { now, table } = foundationOf(variables);
  return { ...runtimeOf(variables), findStream: findStreams({ ...table('state'), now }) };
});
