/**
 * Whether the account may use the models on Bedrock: those of other companies are subscribed to in the Marketplace, and Anthropic wants a
 * form once. Sources: docs.aws.amazon.com Bedrock, model-access, API_GetFoundationModelAvailability, API_GetUseCaseForModelAccess.
 */
import { seedRows } from '../../../infra/catalog/seed.ts';
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { type AccountCheck, type CheckContext, type Finding, isMissing, ok, warning } from '../check.ts';

/** Inference profiles are named as the model behind a geography. Source: docs.aws.amazon.com Bedrock, inference-profiles-support. */
const geography = /^(?:us|us-gov|eu|apac|global|jp|au|ca)\./;

export function bedrockModels(): readonly string[] {
  const ids = seedRows
    .map((row) => readModelRow(row))
    .filter(({ status }) => status === 'active')
    .flatMap(({ deployments }) => deployments)
    .filter(({ provider }) => provider === 'bedrock')
    .map(({ upstreamId }) => upstreamId.replace(geography, ''));
  return [...new Set(ids)].sort();
}

type State = 'usable' | 'not subscribed' | 'not authorized' | 'not in this region';

const remedies: Readonly<Record<Exclude<State, 'usable'>, string>> = {
  'not subscribed':
    'Call each once as an administrator, who may subscribe in the AWS Marketplace, or deploy with -c bedrockMarketplace=true.',
  'not authorized': 'Ask the administrator of the organization: a policy forbids these models.',
  'not in this region': 'They are served through the inference profiles of a geography, or not at all.',
};

/** The account may use the models of the catalog on Bedrock, those of the AWS Marketplace included. */
export const bedrockAccess: AccountCheck = {
  id: 'bedrock-models',
  title: 'Bedrock models',
  needs: ['bedrock:GetFoundationModelAvailability'],
  async run(context) {
    const models = bedrockModels();
    const states = await mapConcurrently(models, 4, async (model) => await stateOf(context, model));
    const inState = (state: State) => models.filter((_, index) => states[index] === state);
    const usable = inState('usable');
    const problems = (Object.keys(remedies) as (keyof typeof remedies)[]).flatMap((state): Finding[] => {
      const found = inState(state);
      return found.length === 0 ? [] : [warning(`${state}: ${found.join(', ')}.`, remedies[state])];
    });
    return [ok(`${usable.length} of ${models.length} models of the catalog can be used.`), ...problems];
  },
};

async function stateOf({ aws }: CheckContext, model: string): Promise<State> {
  const path = `/foundation-model-availability/${encodeURIComponent(model)}`;
  const answer = await aws.get('bedrock', path).catch((error: unknown) => {
    if (isMissing(error, 'ResourceNotFoundException', 'ValidationException')) return undefined;
    throw error;
  });
  if (!answer || answer.regionAvailability === 'NOT_AVAILABLE') return 'not in this region';
  if (answer.authorizationStatus === 'NOT_AUTHORIZED') return 'not authorized';
  const { status } = (answer.agreementAvailability ?? {}) as { readonly status?: string };
  return status === 'AVAILABLE' ? 'usable' : 'not subscribed';
}

/** The account has sent the form about its use of Anthropic's models on Bedrock. */
export const anthropicForm: AccountCheck = {
  id: 'bedrock-anthropic-form',
  title: "Anthropic's form",
  needs: ['bedrock:GetUseCaseForModelAccess'],
  async run({ aws }) {
    try {
      await aws.get('bedrock', '/use-case-for-model-access');
      return ok('sent.');
    } catch (error) {
      if (!isMissing(error, 'ResourceNotFoundException')) throw error;
      return warning(
        "not sent: Anthropic's models on Bedrock refuse all requests.",
        'Send it once, in the console of Bedrock: Model catalog, any model of Anthropic.',
      );
    }
  },
};
