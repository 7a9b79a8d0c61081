/** Several gateways, each a process of its own. One of them is killed while requests are open, and another takes its place. */
import { type Child, startChild } from './child.ts';

export interface Gateways {
  /** The gateway that a request goes to. Call it when the request begins. */
  urlFor(number: number): string;
  /** Call it when the request has been answered. */
  over(number: number): void;
  /** Ends one at once, and starts another. */
  killOne(): Promise<void>;
  /** The requests that were open in a process when it was killed, with the time of that in Unix milliseconds. */
  readonly interrupted: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

interface Running {
  readonly url: string;
  readonly child: Child;
  readonly open: Set<number>;
}

export async function startGateways(
  count: number,
  start: Omit<Parameters<typeof startChild>[0], 'file'>,
): Promise<Gateways> {
  const one = async (): Promise<Running> => {
    const child = await startChild({ ...start, file: 'gateway-process.ts' });
    return { child, url: (child.greeting as { readonly url: string }).url, open: new Set() };
  };
  const running = await Promise.all(Array.from({ length: count }, one));
  const interrupted = new Map<number, number>();
  const of = new Map<number, Running>();
  return {
    interrupted,
    urlFor(number) {
      const chosen = running[number % running.length];
      if (!chosen) throw new Error('No gateway runs.');
      chosen.open.add(number);
      of.set(number, chosen);
      return chosen.url;
    },
    over: (number) => void of.get(number)?.open.delete(number),
    async killOne() {
      const victim = running.shift();
      if (!victim) return;
      const at = Date.now();
      for (const number of victim.open) interrupted.set(number, at);
      await victim.child.kill();
      running.push(await one());
    },
    close: async () => void (await Promise.all(running.map(({ child }) => child.kill()))),
  };
}
