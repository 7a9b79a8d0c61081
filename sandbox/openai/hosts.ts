/** The compatible hosts of the host table, simulated as their rows say. */
import type { Host } from '../../lib/providers/hosts/host.ts';
import { hostNames, hosts } from '../../lib/providers/hosts/hosts.ts';
import { xaiBehaviour } from '../openai-responses/behaviour.ts';
import type { SandboxRoute } from '../server.ts';
import { shaped } from './batches/batch-api.ts';
import {
  alibabaBatches,
  groqBatches,
  mistralBatches,
  moonshotBatches,
  togetherBatches,
} from './batches/shapes.ts';
import { xaiBatches } from './batches/xai.ts';
import type { Behaviour } from './behaviour.ts';
import { createOpenaiHandler } from './handler.ts';

/** What a row does not say: hosts with protocols beside chat. */
const others: Readonly<Record<string, Partial<Behaviour>>> = {
  xai: { responses: xaiBehaviour, batches: xaiBatches },
  groq: { batches: shaped(groqBatches) },
  together: { batches: shaped(togetherBatches) },
  mistral: { batches: shaped(mistralBatches) },
  moonshot: { batches: shaped(moonshotBatches) },
  alibaba: { batches: shaped(alibabaBatches) },
};

export const compatibleRoutes: readonly SandboxRoute[] = hostNames.map((name) => routeOf(name, hosts[name]));

function routeOf(name: string, { baseUrl = 'http://localhost/v1', needsKey, sandbox }: Host): SandboxRoute {
  const behaviour = { strict: false, open: needsKey === false, ...sandbox, ...others[name] };
  return {
    provider: name,
    base: `/${name}${new URL(baseUrl).pathname}`.replace(/\/$/, ''),
    // Its own API, beside the compatible one.
    ...(name === 'alibaba' && { beside: ['/alibaba/api/v1', '/dashscope'] as const }),
    handle: createOpenaiHandler(behaviour),
  };
}
