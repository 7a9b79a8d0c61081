/** The providers of a local gateway, and the base path of the sandbox for each of them. */
import { anthropicWire } from '../sandbox/anthropic/wire.ts';
import { azureWire } from '../sandbox/azure/wire.ts';
import { bedrockWire } from '../sandbox/bedrock/wire.ts';
import { cohereWire } from '../sandbox/cohere/wire.ts';
import { googleWire } from '../sandbox/google/wire.ts';
import { jinaWire } from '../sandbox/jina/wire.ts';
import { compatibleRoutes } from '../sandbox/openai/hosts.ts';
import { openaiWire } from '../sandbox/openai/wire.ts';
import type { SandboxRoute } from '../sandbox/server.ts';
import { vertexWire } from '../sandbox/vertex/wire.ts';
import { voyageWire } from '../sandbox/voyage/wire.ts';

export const sandboxRoutes: readonly SandboxRoute[] = [
  { provider: 'openai', base: '/openai/v1', wire: openaiWire({ strict: true, responses: { strict: true } }) },
  { provider: 'anthropic', base: '/anthropic/v1', wire: anthropicWire },
  { provider: 'google', base: '/google/v1beta', wire: googleWire },
  { provider: 'bedrock', base: '/bedrock', wire: bedrockWire },
  { provider: 'azure', base: '/azure/openai/v1', wire: azureWire },
  { provider: 'google-vertex', base: '/google-vertex/v1', wire: vertexWire },
  { provider: 'cohere', base: '/cohere/v2', wire: cohereWire },
  { provider: 'voyage', base: '/voyage/v1', wire: voyageWire },
  { provider: 'jina', base: '/jina/v1', wire: jinaWire },
  ...compatibleRoutes,
];

/** Providers that also accept AWS signatures, so that AWS credentials work instead of a key. */
export const takesAwsCredentials: ReadonlySet<string> = new Set(['bedrock']);

/** Required settings besides key and base URL, with the values that the sandbox gets. */
export const placeholders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'google-vertex': { project: 'local' },
};
