/** Providers on Google's platforms. */
import { google } from './google/provider.ts';
import { googleVertexAnthropic } from './google-vertex/claude.ts';
import { googleVertex } from './google-vertex/gemini.ts';
import { googleVertexRanking } from './google-vertex/ranking.ts';
import type { Provider } from './provider.ts';

export const googleFamily: readonly Provider[] = [
  google,
  googleVertex,
  googleVertexAnthropic,
  googleVertexRanking,
];
