/** Stops a local gateway on Ctrl-C, and says what it waits for. */
import type { LocalGateway } from '../gateway.ts';

/** The first signal stops the gateway after its running requests; a second one stops it at once. */
export function stopOnSignal(gateway: Pick<LocalGateway, 'runningRequests' | 'close'>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    const running = gateway.runningRequests();
    if (running > 0) console.error(waiting(running));
    await gateway.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

const waiting = (running: number) =>
  `\nWaiting for ${running} request${running === 1 ? '' : 's'}... Press Ctrl-C again to stop now.`;
