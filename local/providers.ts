/**
 * The providers of a local gateway, and the base path of the sandbox for each of them. Those of the compatible hosts come from
 * the host table.
 */
import { anthropicHandler } from '../sandbox/anthropic/handler.ts';
import { azureHandler } from '../sandbox/azure/handler.ts';
import { bedrockHandler } from '../sandbox/bedrock/handler.ts';
import { cohereHandler } from '../sandbox/cohere/handler.ts';
import { googleHandler } from '../sandbox/google/handler.ts';
import { jinaHandler, voyageHandler } from '../sandbox/jina/handler.ts';
import { shaped } from '../sandbox/openai/batches/batch-api.ts';
import { openaiBatches } from '../sandbox/openai/batches/shapes.ts';
import { createOpenaiHandler } from '../sandbox/openai/handler.ts';
import { compatibleRoutes } from '../sandbox/openai/hosts.ts';
import type { SandboxRoute } from '../sandbox/server.ts';
import { vertexHandler } from '../sandbox/vertex/handler.ts';

export const sandboxRoutes: readonly SandboxRoute[] = [
  {
    provider: 'openai',
    base: '/openai/v1',
    handle: createOpenaiHandler({
      strict: true,
      responses: { strict: true },
      batches: shaped(openaiBatches),
    }),
  },
  { provider: 'anthropic', base: '/anthropic/v1', handle: anthropicHandler },
  {
    provider: 'google',
    base: '/google/v1beta',
    beside: ['/google/upload/v1beta', '/upload'],
    handle: googleHandler,
  },
  { provider: 'bedrock', base: '/bedrock', handle: bedrockHandler },
  {
    provider: 'azure',
    base: '/azure/openai/v1',
    beside: ['/azure/providers', '/providers'],
    handle: azureHandler,
  },
  { provider: 'google-vertex', base: '/google-vertex/v1', handle: vertexHandler },
  { provider: 'cohere', base: '/cohere/v2', handle: cohereHandler },
  { provider: 'voyage', base: '/voyage/v1', handle: voyageHandler },
  { provider: 'jina', base: '/jina/v1', handle: jinaHandler },
  ...compatibleRoutes,
];

/** Providers that also accept AWS signatures, so that AWS credentials work instead of a key. */
export const takesAwsCredentials: ReadonlySet<string> = new Set(['bedrock']);

/** Required settings besides key and base URL, with the values that the sandbox gets. */
export const placeholders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'google-vertex': { project: 'local' },
};

/** Settings that only the sandbox of a provider gets. */
export const sandboxSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bedrock: {
    'batch-bucket': 'sandbox-batches',
    'batch-role': 'arn:aws:iam::000000000000:role/sandbox-batches',
  },
  'google-vertex': { 'batch-bucket': 'sandbox-batches' },
};
