/** The sandbox of Vertex: the protocols of Gemini and Claude below a project, each with the requirements of Vertex. */
import { anthropicHandler } from '../anthropic/handler.ts';
import { refuse as refuseClaude } from '../anthropic/refuse.ts';
import type { Handler, SandboxRequest } from '../exchange.ts';
import { googleHandler } from '../google/handler.ts';
import { refuse } from '../google/refuse.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import { answerVertex } from '../rerank.ts';
import { answerBatches } from './batches.ts';
import { answerEmbeddings } from './embeddings.ts';
import { answerObjects } from './objects.ts';
import { answerToken } from './token.ts';

const models = /^\/projects\/[^/]+\/locations\/[^/]+\/publishers\/(google|anthropic)(\/models\/[^/]+)$/;

export const vertexHandler: Handler = (request) => {
  if (request.path === '/token') return answerToken(request);
  if (!/^Bearer \S/.test(textOf(request.headers.authorization))) {
    refuse('Request is missing required authentication credential.', 401, 'UNAUTHENTICATED');
  }
  return answerObjects(request) ?? answerBatches(request, answerLive) ?? answerLive(request);
};

const ranking = /^\/projects\/[^/]+\/locations\/global\/rankingConfigs\/default_ranking_config:rank$/;

const answerLive: Handler = (request) => {
  if (ranking.test(request.path)) return answerVertex(objectOf(request.body), refuse);
  const [, publisher, path = ''] = models.exec(request.path) ?? [];
  if (publisher === 'google') {
    return answerEmbeddings(path, request.body) ?? googleHandler(gemini({ ...request, path }));
  }
  if (publisher === 'anthropic') return anthropicHandler(claude({ ...request, path }));
  return refuse('The requested URL was not found on this server.', 404, 'NOT_FOUND');
};

/** Some versions of Vertex know no ids of calls. */
function gemini(request: SandboxRequest): SandboxRequest {
  const parts = objectsOf(objectOf(request.body).contents).flatMap((content) => objectsOf(content.parts));
  for (const { functionCall, functionResponse } of parts) {
    if ('id' in objectOf(functionCall) || 'id' in objectOf(functionResponse)) {
      refuse('Invalid JSON payload received. Unknown name "id": Cannot find field.');
    }
  }
  if ('includeServerSideToolInvocations' in objectOf(objectOf(request.body).toolConfig)) {
    refuse(
      'Invalid JSON payload received. Unknown name "includeServerSideToolInvocations": Cannot find field.',
    );
  }
  return request;
}

/** The model is in the path, the version of the protocol in the body. */
function claude(given: SandboxRequest): SandboxRequest {
  checkBetas(textOf(given.headers['anthropic-beta']));
  if (given.path === '/models/count-tokens:rawPredict') return claudeCount(given);
  const { body, path, headers, ...request } = given;
  const [, model = '', action] = /^\/models\/([^/:]+):(rawPredict|streamRawPredict)$/.exec(path) ?? [];
  if (action === undefined) refuse('The requested URL was not found on this server.', 404, 'NOT_FOUND');
  const { anthropic_version, ...rest } = objectOf(body);
  const counts = model === 'count-tokens';
  if (anthropic_version !== 'vertex-2023-10-16') refuseClaude('anthropic_version: Field required');
  if ('model' in rest && !counts) refuseClaude('model: Extra inputs are not permitted');
  if (
    'format' in objectOf(rest.output_config) ||
    objectsOf(rest.tools).some(({ strict }) => strict === true)
  ) {
    refuse(
      'Structured outputs are not allowed by the policy of the organization.',
      400,
      'FAILED_PRECONDITION',
    );
  }
  if ((rest.stream === true) !== (action === 'streamRawPredict')) {
    refuseClaude('stream: does not fit the method that was called');
  }
  const sources = objectsOf(rest.messages).flatMap(({ content }) =>
    objectsOf(content).map(({ source }) => source),
  );
  if (sources.some((source) => objectOf(source).type === 'url'))
    refuseClaude('URL sources are not supported');
  return {
    ...request,
    path: counts ? '/messages/count_tokens' : '/messages',
    headers: { ...headers, 'anthropic-version': '2023-06-01' },
    body: counts ? rest : { ...rest, model: decodeURIComponent(model) },
  };
}

/** The model is in the body. Source: Google Cloud, "Count tokens for Claude models"; Anthropic's SDK for Vertex. */
function claudeCount({ body, headers, ...request }: SandboxRequest): SandboxRequest {
  const { anthropic_version: _, ...rest } = objectOf(body);
  const path = '/messages/count_tokens';
  return { ...request, path, headers: { ...headers, 'anthropic-version': '2023-06-01' }, body: rest };
}

/** Source: anthropics/claude-code issue 21767. */
function checkBetas(header: string): void {
  const unknown = header
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => /^(?:claude-code|prompt-caching-scope)-/.test(beta));
  if (unknown.length === 0) return;
  const names = unknown.map((beta) => `\`${beta}\``).join(', ');
  refuseClaude(
    `Unexpected value(s) ${names} for the \`anthropic-beta\` header. Please consult our documentation at docs.anthropic.com or try again without the header.`,
  );
}
