/** Gemini on Vertex: the Gemini wire below a project. */
import type { GenerationProtocol } from '../../core/protocol.ts';
import { googleGenerateContent } from '../../protocols/google-generate-content/protocol.ts';
import { google } from '../google/provider.ts';
import type { Provider } from '../provider.ts';
import { vertexAccount } from './account.ts';

const vertexGemini: GenerationProtocol = {
  ...googleGenerateContent,
  path: (upstreamId, stream) => `/publishers/google${googleGenerateContent.path(upstreamId, stream)}`,
};

export const googleVertex: Provider = {
  name: 'google-vertex',
  ...vertexAccount('v1beta1'),
  generation: { ...google.generation, protocol: vertexGemini },
};
