/**
 * API Gateway. Sources: docs.aws.amazon.com API Gateway, API_GetAccount and API_GetStage; policies name methods of HTTP:
 * api-gateway-iam-policy-examples.
 */
import { AwsRefusal, type FakeService } from '../service.ts';

export interface FakeThrottle {
  readonly rate: number;
  readonly burst: number;
}

interface ApiGatewayOptions {
  readonly account?: FakeThrottle;
  /** Of a stage, by `<api>/<stage>`. */
  readonly stages?: Readonly<Record<string, FakeThrottle>>;
}

export const apiGateway = ({
  account = { rate: 10_000, burst: 5_000 },
  stages = {},
}: ApiGatewayOptions = {}): FakeService => ({
  name: 'apigateway',
  protocol: 'rest',
  routes: { GetAccount: 'GET /account', GetStage: 'GET /restapis/{api}/stages/{stage}' },
  needs: (_action, _input, { region, request: { method, path } }) => [
    { action: `apigateway:${method}`, resource: `arn:aws:apigateway:${region}::${path}` },
  ],
  actions: {
    GetAccount: () => ({ throttleSettings: { rateLimit: account.rate, burstLimit: account.burst } }),
    GetStage({ api, stage }) {
      const throttle = stages[`${api}/${stage}`];
      if (!throttle) throw new AwsRefusal('NotFoundException', 'Invalid stage identifier specified', 404);
      const settings = { throttlingRateLimit: throttle.rate, throttlingBurstLimit: throttle.burst };
      return { stageName: stage, methodSettings: { '*/*': settings } };
    },
  },
});
