/** The API of the dashboard: the admin operations, those of people behind an authorizer of their user pool. */
import {
  AuthorizationType,
  CognitoUserPoolsAuthorizer,
  type IAuthorizer,
  type MethodOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { IUserPool, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { AdminOperation } from '../../../lib/core/admin/admin-operations.ts';
import { accountPrefix, routesOf } from '../../../lib/core/routes.ts';
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

export class AdminApi extends StreamingApi {
  private pool: UserPool | undefined;
  private authorizer: IAuthorizer | undefined;

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
      APIG4:
        'Sign-in itself, sessions of API keys and the playground cannot ask for a sign-in; the functions check each call.',
      COG4: 'Sign-in itself, sessions of API keys and the playground cannot ask for a sign-in; the functions check each call.',
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

  /** Those who sign in at this pool pass to operations that have roles. Call it before `serve`. */
  letIn(pool: UserPool): void {
    this.pool = pool;
  }

  /** Routes an operation to its function. Sessions of API keys have paths of their own, which no pool knows. */
  serve(operation: AdminOperation, gatewayFunction: GatewayFunction): void {
    for (const path of routesOf(operation)) {
      const isOpen = operation.roles === undefined || path.startsWith(accountPrefix);
      this.serveBy(gatewayFunction, operation, path, isOpen ? open : this.behindSignIn());
    }
  }

  /** Lets web pages of an origin call a path. */
  openTo(origin: string, path: string): void {
    addPreflight(this.api.root.resourceForPath(path), [origin]);
  }

  private behindSignIn(): MethodOptions {
    if (!this.pool) throw new Error('There is no pool whose people may pass.');
    // The library's types of a pool are not those of its own interface, under the compiler's strict rule for optional members.
    const cognitoUserPools = [this.pool as IUserPool];
    this.authorizer ??= new CognitoUserPoolsAuthorizer(this, 'People', { cognitoUserPools });
    return { authorizer: this.authorizer, authorizationType: AuthorizationType.COGNITO };
  }
}

const open: MethodOptions = { authorizationType: AuthorizationType.NONE };
