/** The API of the dashboard: the admin operations, whose functions check each call, as those of the gateway do. */
import type { Construct } from 'constructs';
import type { AdminOperation } from '../../../lib/core/admin/admin-operations.ts';
import { routesOf } from '../../../lib/core/routes.ts';
import { adminGatewayResponses } from '../../../server/http/gateway-responses.ts';
import type { Domain } from '../../settings/groups/edge.ts';
import type { Settings } from '../../settings/settings.ts';
import type { GatewayFunction } from '../function/gateway-function.ts';
import { stageName } from './api-stage.ts';
import { fromAnywhere } from './gateway-api.ts';
import { addPreflight } from './preflight.ts';
import { StreamingApi } from './streaming-api.ts';

interface AdminApiProps extends Pick<Settings, 'logDays' | 'openThrottle'> {
  readonly operations: readonly AdminOperation[];
  /** Of the API itself; none where CloudFront stands before it. */
  readonly domain: Domain | undefined;
  readonly makesLogRole: boolean;
}

/** Requests per second and at once, of all people together: far more than pages send. */
const adminThrottle = { rate: 100, burst: 200 };

const reason =
  'No authorizer of API Gateway knows management keys and sessions of API keys beside ID tokens: the functions check each call.';

export class AdminApi extends StreamingApi {
  constructor(scope: Construct, id: string, props: AdminApiProps) {
    super(scope, id, {
      description: 'The admin API of a model gateway, and its dashboard',
      limits: {
        throttle: adminThrottle,
        openThrottle: props.openThrottle,
        openPaths: props.operations.filter(({ roles }) => !roles).flatMap(routesOf),
      },
      logDays: props.logDays,
      from: () => fromAnywhere,
      isPublic: true,
      makesLogRole: props.makesLogRole,
      responses: adminGatewayResponses,
      // The playground is called by the dashboard from another origin; these answers hold nothing of anyone.
      answersPages: true,
    });
    if (props.domain) this.answerAt(props.domain, 'DashboardDomainTarget');
    this.acknowledge({
      APIG3: 'A web ACL costs money while idle. The stage throttles requests, and people sign in.',
      APIG4: reason,
      COG4: reason,
    });
  }

  /** Its own address, without a slash at the end. It names the API, and not its stage, which comes after the functions. */
  get address(): string {
    return this.addressOf(this.api.restApiId, stageName);
  }

  /** Its host without the stage, for what stands before it. */
  get host(): string {
    return this.hostOf(this.api.restApiId);
  }

  /** Routes an operation to its function. */
  serve(operation: AdminOperation, gatewayFunction: GatewayFunction): void {
    for (const path of routesOf(operation)) this.serveBy(gatewayFunction, operation, path);
  }

  /** Lets web pages of an origin call a path. */
  openTo(origin: string, path: string): void {
    addPreflight(this.api.root.resourceForPath(path), [origin]);
  }
}
