/**
 * The dashboard of a gateway and its admin API, in a stack of their own: a stack has a limited number of resources, and an operator may
 * leave this one out, or remove it later. It reads the addresses of the tables and of the gateway when it is deployed, and nothing
 * reads of it.
 */
import { join } from 'node:path';
import { CfnOutput, Duration, type Environment, Stack } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type AdminOperation, deployedAdminOperations } from '../lib/core/admin/admin-operations.ts';
import { AdminApi } from './constructs/api/admin-api.ts';
import { PageFiles } from './constructs/dashboard/page-files.ts';
import { PageSite } from './constructs/dashboard/page-site.ts';
import { SignIn } from './constructs/dashboard/sign-in.ts';
import { GatewayFunction } from './constructs/function/gateway-function.ts';
import { chooseEndpoints } from './constructs/function/host-variables.ts';
import {
  type AdminResources,
  allowAdminOperation,
  callsModels,
} from './constructs/permissions/admin-permissions.ts';
import { type TableAddresses, usedTables } from './constructs/table/used-table.ts';
import { LineMetrics } from './constructs/watching/line-metrics.ts';
import { type LogKeeping, logGroup } from './constructs/watching/log-lines.ts';
import { pascalCase } from './names.ts';
import type { DashboardSettings } from './settings/groups/dashboard.ts';
import type { Settings } from './settings/settings.ts';

interface AdminStackProps extends Omit<Settings, 'stackName' | 'dashboard'> {
  readonly dashboard: DashboardSettings;
  /** The name of the stack of the gateway. */
  readonly gatewayName: string;
  /** The gateway's base URL, with `/v1`. */
  readonly gatewayUrl: string;
  readonly env: Environment | undefined;
  readonly tables: TableAddresses;
  readonly stackTags: Record<string, string>;
  /** The directory of the bundles: one subdirectory for each operation, and `dashboard` with the files of the dashboard. */
  readonly bundles: string;
}

/** Where the playground's page sends its prompts: below the API's own address, since answers that stream do not pass CloudFront. */
const playgroundPath = '/admin/v1/playground/chat/completions';

export class AdminStack extends Stack {
  private readonly props: AdminStackProps;
  private ownLogs: LogGroup | undefined;

  constructor(scope: Construct, id: string, props: AdminStackProps) {
    super(scope, id, {
      description: `The dashboard of a model gateway (compute=${props.compute}), and its admin API`,
      tags: props.stackTags,
      ...(props.env && { env: props.env }),
    });
    this.props = props;
    chooseEndpoints(this, props);
    const { dashboard, openThrottle, logDays, retain, fargate, bundles } = props;
    const { host, domain } = dashboard;
    const operations = operationsOf(host);
    const api = new AdminApi(this, 'Admin', {
      operations,
      logDays,
      openThrottle,
      domain: host === 'lambda' ? domain : undefined,
      // Elsewhere, the stack of the gateway has it.
      makesLogRole: fargate !== undefined,
    });
    const url = host === 'lambda' ? api.address : this.site(api, join(bundles, 'dashboard'));
    const signIn = new SignIn(this, 'SignIn', {
      ...dashboard,
      pageUrl: url,
      retain,
      mayBeGovCloud: host === 'lambda',
    });
    const resources = this.resources(api, signIn, url);
    const functions = new Map<string, GatewayFunction>();
    for (const operation of operations) {
      const { name, servedBy = name } = operation;
      const made = functions.get(servedBy) ?? this.function(operation);
      functions.set(servedBy, made);
      allowAdminOperation(made.permissions, operation, resources);
      api.serve(operation, made);
    }
    const isOtherOrigin = host === 'cloudfront';
    if (isOtherOrigin && operations.some(({ path }) => path === playgroundPath))
      api.openTo(url, playgroundPath);
    this.outputs({
      DashboardUrl: [`${url}/dashboard/overview`, 'Where people open the dashboard'],
      AdminApiUrl: [`${url}/admin/v1`, 'The base URL of the admin API'],
      UserPoolId: [signIn.pool.userPoolId, 'The pool of those who sign in'],
      UserPoolClientId: [signIn.client.userPoolClientId, 'The client by which the dashboard signs in'],
    });
  }

  /** The address of the dashboard. */
  private site(api: AdminApi, page: string): string {
    const { bucket } = new PageFiles(this, 'Files', { page, logs: this.keeping });
    return new PageSite(this, 'Site', {
      files: bucket,
      apiHost: api.host,
      domain: this.props.dashboard.domain,
    }).url;
  }

  private resources(api: AdminApi, signIn: SignIn, url: string): AdminResources {
    const { props } = this;
    return {
      ...props,
      tables: usedTables(this, props.tables),
      providerParametersPrefix: `/${props.gatewayName}/providers`,
      namespace: props.gatewayName,
      corsOrigins: props.dashboard.host === 'cloudfront' ? [url] : [],
      poolArn: signIn.pool.userPoolArn,
      variables: {
        ofPeople: {
          GATEWAY_BASE_URL: props.gatewayUrl,
          GATEWAY_DASHBOARD_URL: url,
          GATEWAY_PLAYGROUND_URL: api.address + playgroundPath,
          GATEWAY_ADMIN_ISSUER: signIn.issuer,
          GATEWAY_ADMIN_CLIENT_ID: signIn.client.userPoolClientId,
          GATEWAY_ADMIN_SIGN_OUT_URL: signIn.signOutUrl,
        },
        ofPool: { GATEWAY_ADMIN_USER_POOL: signIn.pool.userPoolId },
      },
    };
  }

  private function(operation: AdminOperation): GatewayFunction {
    const { bundles, memory, logLevel, kmsKeyArn } = this.props;
    const made = new GatewayFunction(this, pascalCase(operation.name), {
      description: `${operation.method} ${operation.path}`,
      bundle: join(bundles, 'admin'),
      timeout: Duration.seconds(operation.timeoutSeconds),
      memory,
      logLevel,
      logs: callsModels(operation) ? { ...this.keeping, outliveStack: this.props.retain } : this.logs,
      kmsKeyArn,
      hasVersions: false,
    });
    made.handler.addEnvironment('GATEWAY_OPERATION', operation.name);
    // Beside those of the gateway, and in the same metrics.
    if (callsModels(operation))
      new LineMetrics(made, 'Usage', {
        logs: made.logs,
        namespace: this.props.gatewayName,
        watched: new Set(),
        of: 'requests',
      });
    return made;
  }

  /** One group for all functions: a stack may have 500 resources. */
  private get logs(): LogGroup {
    this.ownLogs ??= logGroup(this, 'Logs', this.keeping);
    return this.ownLogs;
  }

  private get keeping(): LogKeeping {
    return { days: this.props.logDays, outliveStack: false };
  }

  private outputs(all: Readonly<Record<string, readonly [value: string, description: string]>>): void {
    for (const [name, [value, description]] of Object.entries(all))
      new CfnOutput(this, name, { value, description });
  }
}

/** Files of the dashboard need no function where CloudFront has them. */
const operationsOf = (host: DashboardSettings['host']): readonly AdminOperation[] =>
  deployedAdminOperations.filter(({ name }) => host === 'lambda' || !name.startsWith('dashboard-'));
