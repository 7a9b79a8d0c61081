/**
 * A gateway whose models all lead to a wall: one model `faults/<name>` of OpenAI's for each name, and one `hosted/<name>` of
 * a host whose only wire is that of chat.
 */

import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { type Fault, startWall, type Wall } from './wall.ts';

export interface WalledGateway {
  readonly gateway: TestGateway;
  readonly wall: Wall;
  close(): Promise<void>;
}

/** The `healthy` names answer whole. */
export async function startWalledGateway(
  faults: Readonly<Record<string, Fault>>,
  healthy: readonly string[],
  environment: Record<string, string> = {},
): Promise<WalledGateway> {
  const wall = await startWall(faults);
  const gateway = await startTestGateway({
    OPENAI_UPSTREAM_URL: wall.url,
    OPENAI_API_KEY: 'a-provider-key',
    DEEPSEEK_UPSTREAM_URL: wall.url,
    DEEPSEEK_API_KEY: 'a-provider-key',
    ...environment,
  });
  const names = [...Object.keys(faults), ...healthy];
  const places = names.flatMap((upstreamId) => [
    [`faults/${upstreamId}`, [{ provider: 'openai', upstreamId }]],
    [`hosted/${upstreamId}`, [{ provider: 'deepseek', upstreamId }]],
  ]);
  await putModels(Object.fromEntries(places));
  return {
    gateway,
    wall,
    async close() {
      await gateway.close();
      await wall.close();
    },
  };
}
