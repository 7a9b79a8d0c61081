/**
 * A new version of a function first gets a part of its traffic. An alarm takes it back: CodeDeploy then lets the alias stay with the
 * version before, and CloudFormation rolls the whole deployment back. The first deployment of an alias is not shifted.
 *
 * A function answers its own errors, so that Lambda does not count them: the alarm also watches what API Gateway answered for its routes.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ServedFunction } from '../../../lib/core/served-functions.ts';
import { pascalCase } from '../../names.ts';
import type { Canary } from '../../settings/groups/release.ts';
import { acknowledge } from '../acknowledge.ts';
import type { GatewayFunction } from './gateway-function.ts';

export const configurations: Readonly<Record<Canary, typeof LambdaDeploymentConfig.ALL_AT_ONCE>> = {
  '10percent5minutes': LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  '10percent10minutes': LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  '10percent15minutes': LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  '10percent30minutes': LambdaDeploymentConfig.CANARY_10PERCENT_30MINUTES,
  linear10percent1minute: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
  linear10percent2minutes: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_2MINUTES,
  linear10percent3minutes: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_3MINUTES,
  linear10percent10minutes: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_10MINUTES,
};

/** Of the answers of a route in a minute, in percent: half of those that a new version gets first. */
const badAnswersPercent = 5;

const period = Duration.minutes(1);
/** Minutes of the last five. One request that times out takes nothing back. */
const badMinutes = { datapointsToAlarm: 2, evaluationPeriods: 5 };

interface CanaryDeploymentsProps {
  readonly canary: Canary;
  /** As API Gateway names it in its metrics. */
  readonly apiName: string;
  readonly stageName: string;
}

export class CanaryDeployments extends Construct {
  private readonly props: CanaryDeploymentsProps;
  private readonly application: LambdaApplication;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: CanaryDeploymentsProps) {
    super(scope, id);
    this.props = props;
    this.application = new LambdaApplication(this, 'Application');
    const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    acknowledge(this.role, {
      [`IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`]:
        'The least of what AWS offers CodeDeploy for functions.',
    });
  }

  /** Deploys a function this way from now on. */
  add(served: ServedFunction, { alias }: GatewayFunction): void {
    const name = pascalCase(served.name);
    const alarm = new Alarm(this, `${name}Alarm`, {
      alarmDescription: `Takes a release back: ${served.paths[0]} crashes, times out or is throttled, or more than ${badAnswersPercent} % of its answers are 5xx`,
      metric: this.badMinute(served, alias),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...badMinutes,
    });
    new LambdaDeploymentGroup(this, name, {
      application: this.application,
      role: this.role,
      alias,
      deploymentConfig: configurations[this.props.canary],
      alarms: [alarm],
    });
  }

  /** One where something is wrong, and 0 elsewhere. A single alarm, since a stack has room for 500 resources. */
  private badMinute({ method, paths }: ServedFunction, alias: Alias): IMetric {
    const answers = paths.map((path, index) => [`route${index}`, this.answers(method, path)]);
    const routes = answers.map(([name]) => filled(String(name))).join(', ');
    const failures = `SUM([${filled('errors')}, ${filled('throttles')}]) > 0`;
    return new MathExpression({
      expression: `IF(${failures} OR 100 * MAX([${routes}]) > ${badAnswersPercent}, 1, 0)`,
      usingMetrics: {
        errors: alias.metricErrors({ period }),
        throttles: alias.metricThrottles({ period }),
        ...Object.fromEntries(answers),
      },
      label: 'Something is wrong',
      period,
    });
  }

  /** The part of the answers of a route that are 5xx. */
  private answers(method: string, route: string): IMetric {
    const { apiName, stageName } = this.props;
    return new Metric({
      namespace: 'AWS/ApiGateway',
      metricName: '5XXError',
      dimensionsMap: { ApiName: apiName, Stage: stageName, Method: method, Resource: route },
      statistic: Stats.AVERAGE,
      period,
    });
  }
}

/** A minute without requests has no figures. */
const filled = (metric: string): string => `FILL(${metric}, 0)`;
