/** Gemini on Vertex: the Gemini API below a project. */

import type { GenerationProtocol } from '../../core/generation/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { vertexCounter } from '../../protocols/google-generate-content/count-tokens.ts';
import { googleGenerateContent } from '../../protocols/google-generate-content/protocol.ts';
import { vertexImages } from '../google/images.ts';
import { google } from '../google/provider.ts';
import type { Provider } from '../provider.ts';
import { vertexAccount } from './account.ts';
import { vertexEmbeddings } from './embeddings.ts';

const vertexGemini: GenerationProtocol = {
  ...googleGenerateContent,
  path: (upstreamId, stream) => `/publishers/google${googleGenerateContent.path(upstreamId, stream)}`,
  encode: (request, target) => withoutInvocations(googleGenerateContent.encode(request, target)),
};

/** Vertex always combines its search with functions, and does not have the field that requests it. */
function withoutInvocations(body: JsonObject): JsonObject {
  if (!isJsonObject(body.toolConfig)) return body;
  const { includeServerSideToolInvocations: _, ...toolConfig } = body.toolConfig;
  return { ...body, toolConfig };
}

export const googleVertex: Provider = {
  name: 'google-vertex',
  ...vertexAccount('v1beta1'),
  generation: { ...google.generation, protocol: vertexGemini, counter: vertexCounter },
  images: vertexImages,
  embeddings: vertexEmbeddings,
};
