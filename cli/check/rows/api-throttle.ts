/** How many requests a second API Gateway lets through, for the account and for the API of the stack. Sources: docs.aws.amazon.com API Gateway, API_GetAccount, API_GetStage. */
import { type AccountCheck, type CheckContext, type Finding, failed, ok, type StackCheck } from '../check.ts';

interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

function compare(
  { rate, burst }: Throttle,
  { planned }: CheckContext,
  whose: string,
  remedy: string,
): Finding {
  const text = `${whose} lets ${rate} requests a second through, ${burst} at once`;
  if (planned && planned.rps > rate) return failed(`${text}; ${planned.rps} are planned.`, remedy);
  return ok(`${text}.`);
}

/** The account lets the planned number of requests a second through. */
export const accountThrottle: AccountCheck = {
  id: 'api-account-throttle',
  title: 'API Gateway of the account',
  needs: ['apigateway:GET'],
  async run(context) {
    const { throttleSettings } = await context.aws.get('apigateway', '/account');
    const { rateLimit, burstLimit } = throttleSettings as { rateLimit: number; burstLimit: number };
    const remedy = 'Request an increase in Service Quotas (API Gateway, "Throttle rate").';
    return [compare({ rate: rateLimit, burst: burstLimit }, context, 'the account', remedy)];
  },
};

/** The API of the stack lets the planned number of requests a second through. */
export const stageThrottle: StackCheck = {
  id: 'api-stage-throttle',
  title: 'API Gateway of the stack',
  needs: ['apigateway:GET', 'cloudformation:ListStackResources'],
  async run(context) {
    const resources = await context.gateway.resources();
    const idOf = (type: string) => resources.find((one) => one.type === type)?.physicalId;
    const api = idOf('AWS::ApiGateway::RestApi');
    const stage = idOf('AWS::ApiGateway::Stage');
    if (!api || !stage) return ok('none: a load balancer takes the requests.');
    const path = `/restapis/${encodeURIComponent(api)}/stages/${encodeURIComponent(stage)}`;
    const { methodSettings = {} } = await context.aws.get('apigateway', path);
    const all = (methodSettings as Readonly<Record<string, StageSettings>>)['*/*'] ?? {};
    const { throttlingRateLimit: rate, throttlingBurstLimit: burst } = all;
    if (rate === undefined || burst === undefined) return ok('no limit of its own.');
    const remedy = 'Deploy with a higher -c throttleRate and -c throttleBurst.';
    return [compare({ rate, burst }, context, 'the API', remedy)];
  },
};

interface StageSettings {
  readonly throttlingRateLimit?: number;
  readonly throttlingBurstLimit?: number;
}
