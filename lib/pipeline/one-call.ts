/** What the tasks share that one call of a target answers: embeddings, images, moderations, reranking, speech. */
import type { Target } from '../core/catalog/model.ts';
import type { ModelEndpoint } from '../core/catalog/model-endpoints.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type { FieldPaths } from '../core/generation/original/source.ts';
import { applyParameterRules } from '../normalization/parameter-rules.ts';
import type { Change, RuleFor } from '../normalization/rule.ts';
import type { Provider, Providers, Serving } from '../providers/provider.ts';
import type { ProviderPreferences } from '../routing/provider-preferences.ts';
import type { ModelTask } from './model-task.ts';

/** What every such request says of whom it asks. */
export interface AskedModels {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly preferences?: ProviderPreferences;
}

type CommonPart = Pick<
  ModelTask<unknown, unknown>,
  'endpoint' | 'model' | 'fallbacks' | 'preferences' | 'needs' | 'canServe' | 'firstOutputMs' | 'output'
>;

/** Nothing is generated in tokens: a task whose output is says so itself. */
export const oneCallTask = (
  endpoint: ModelEndpoint,
  { model, fallbacks, preferences }: AskedModels,
  serving: Serving,
): CommonPart => ({
  endpoint,
  model,
  fallbacks,
  preferences,
  needs: [{ modality: 'text' }],
  canServe: (provider) => provider[serving] !== undefined,
  firstOutputMs: () => undefined,
  output: () => ({ reserved: 0, isHidden: false, isInputUnknown: false }),
});

/**
 * The provider of a target, and how it serves the operation.
 *
 * @throws GatewayError `upstream_model_missing` where it does not, against what the catalog says.
 */
export function servedBy<Name extends Serving>(
  providers: Providers,
  { deployment }: Target,
  serving: Name,
): { readonly provider: Provider; readonly serves: NonNullable<Provider[Name]> } {
  const provider = providers.get(deployment.provider);
  const serves = provider?.[serving];
  if (provider && serves) return { provider, serves };
  const message = `The catalog names the provider '${deployment.provider}', which does not serve ${serving}.`;
  throw new GatewayError('upstream_model_missing', message);
}

interface Parametrized {
  readonly parameters: object;
  /** The caller's paths of parameters with other names. */
  readonly parameterPaths?: FieldPaths;
}

/** The request with the parameters as the target takes them. Throws as `applyParameterRules`. */
export function withRules<Request extends Parametrized>(
  request: Request,
  target: Target,
  rules: readonly RuleFor<Request>[],
): { readonly request: Request; readonly changes: readonly Change[] } {
  const { parameters, changes } = applyParameterRules(
    request.parameters,
    rules,
    (now) => ({ request, parameters: now, target }),
    request.parameterPaths,
  );
  return { request: { ...request, parameters }, changes };
}
