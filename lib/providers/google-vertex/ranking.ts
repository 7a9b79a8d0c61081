/** The ranking of Vertex AI Search: with the account of Vertex, at an API of its own. Source: cloud.google.com, rankingConfigs.rank. */
import { googleRanking } from '../../protocols/google-ranking.ts';
import type { Provider } from '../provider.ts';
import { missingCredentials } from '../provider.ts';
import { rerankBy } from '../rerank-rules.ts';
import { vertexAccount } from './account.ts';

const { account, settings, isConfigured, authorize } = vertexAccount('v1');

const projectOf = (project: string | undefined): string => {
  if (project === undefined) throw missingCredentials();
  return encodeURIComponent(project);
};

export const googleVertexRanking: Provider = {
  name: 'google-vertex-ranking',
  account,
  settings,
  isConfigured,
  baseUrl: () => 'https://discoveryengine.googleapis.com/v1',
  scope: (_region, access) => `/projects/${projectOf(access.settings.project)}/locations/global`,
  async authorize(request, access, region) {
    const { project } = access.settings;
    // Without it, a call with a user's own token has no quota.
    const headers = { ...request.headers, ...(project !== undefined && { 'x-goog-user-project': project }) };
    return await authorize({ ...request, headers }, access, region);
  },
  rerank: rerankBy(googleRanking),
};
