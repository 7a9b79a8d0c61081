/**
 * Loaded into each measured process before its own code: reports what the process has used when asked over IPC. The
 * same for all of them, so that measuring costs each the same.
 */
import { setTimeout } from 'node:timers/promises';

/** What a process has used. */
export interface Usage {
  /** Microseconds of processor time since its start. */
  readonly cpu: number;
  /** Bytes that JavaScript holds, buffers included. */
  readonly held: number;
  /** Bytes of the whole process. */
  readonly resident: number;
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { cpu: user + system, held: heapUsed + external, resident: rss };
}

/** What is only weakly held outlives the first collection. */
const betweenCollectionsMs = 200;

async function collect(): Promise<void> {
  globalThis.gc?.();
  await setTimeout(betweenCollectionsMs);
  globalThis.gc?.();
}

process.on('message', async (message) => {
  if (message === 'collect') await collect();
  process.send?.({ usage: usage() });
});
