/**
 * Bedrock: who may use which model, and the calls of models, which another server answers. Sources: docs.aws.amazon.com Bedrock,
 * API_GetFoundationModelAvailability, API_GetUseCaseForModelAccess, API_ListInferenceProfiles; inference-profiles-prereq for the resources of a call.
 */
import {
  type AccessRequest,
  AwsRefusal,
  type CallContext,
  type FakeService,
  type PassedOn,
} from '../service.ts';

export interface FakeModelAccess {
  readonly agreement: 'AVAILABLE' | 'NOT_AVAILABLE' | 'PENDING' | 'ERROR';
  readonly isAuthorized?: boolean;
  readonly isInRegion?: boolean;
}

interface BedrockOptions {
  /** By model id; others are unknown to the service. */
  readonly access?: Readonly<Record<string, FakeModelAccess>>;
  /** Whether the account has sent Anthropic's form. */
  readonly form?: { readonly hasUseCase: boolean };
  readonly profiles?: readonly string[];
  /** Answers the calls of models. */
  readonly runtime?: (context: CallContext) => Promise<PassedOn>;
}

export function bedrock({
  access = {},
  form = { hasUseCase: true },
  profiles = [],
  runtime,
}: BedrockOptions = {}): FakeService {
  return {
    name: 'bedrock',
    protocol: 'rest',
    codes: { throttled: 'ThrottlingException' },
    routes: {
      GetFoundationModelAvailability: 'GET /foundation-model-availability/{modelId}',
      GetUseCaseForModelAccess: 'GET /use-case-for-model-access',
      ListInferenceProfiles: 'GET /inference-profiles',
      InvokeModel: 'POST /model/{modelId}/(?:invoke|converse)',
      InvokeModelWithResponseStream: 'POST /model/{modelId}/(?:invoke-with-response-stream|converse-stream)',
      CountTokens: 'POST /model/{modelId}/count-tokens',
    },
    needs: (action, { modelId }, context) =>
      calls.has(action)
        ? resourcesOf(String(modelId), context).map(
            (resource): AccessRequest => ({
              action: `bedrock:${action}`,
              resource,
            }),
          )
        : [{ action: `bedrock:${action}`, resource: '*' }],
    ...(runtime && { otherwise: runtime }),
    actions: {
      GetFoundationModelAvailability({ modelId }) {
        const found = access[String(modelId)];
        if (!found) throw new AwsRefusal('ResourceNotFoundException', '', 404);
        return {
          modelId,
          agreementAvailability: { status: found.agreement },
          authorizationStatus: found.isAuthorized === false ? 'NOT_AUTHORIZED' : 'AUTHORIZED',
          entitlementAvailability: found.agreement === 'AVAILABLE' ? 'AVAILABLE' : 'NOT_AVAILABLE',
          regionAvailability: found.isInRegion === false ? 'NOT_AVAILABLE' : 'AVAILABLE',
        };
      },
      GetUseCaseForModelAccess() {
        if (!form.hasUseCase) throw new AwsRefusal('ResourceNotFoundException', 'Use case not found', 404);
        return { formData: Buffer.from('{"companyName":"Acme"}').toString('base64') };
      },
      ListInferenceProfiles: () => ({
        inferenceProfileSummaries: profiles.map((inferenceProfileId) => ({ inferenceProfileId })),
      }),
    },
  };
}

const calls = new Set(['InvokeModel', 'InvokeModelWithResponseStream', 'CountTokens']);

/** Of an inference profile: the profile, and the model that it leads to. */
function resourcesOf(id: string, { region, account }: CallContext): readonly string[] {
  const [, profiled] = /^(?:us|eu|apac|global|us-gov|jp|au|ca)\.(.+)$/.exec(id) ?? [];
  const model = `arn:aws:bedrock:${region}::foundation-model/${profiled ?? id}`;
  if (profiled === undefined) return [model];
  return [`arn:aws:bedrock:${region}:${account}:inference-profile/${id}`, model];
}
