/**
 * A web ACL before the gateway. Ours blocks an address that sends too much, and large bodies without an API key, which would be read
 * before they are refused. The size of other bodies is limited by the API and the gateway: a web ACL sees their first kilobytes only.
 */
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { keyHeaders } from '../../../lib/http/authenticate.ts';
import type { WebAclSettings } from '../../settings/groups/edge.ts';

interface WebAclProps {
  readonly webAcl: WebAclSettings;
  /** The ARN of what it stands before: the stage of an API, or a load balancer. */
  readonly resource: string;
  /** Of the metrics. */
  readonly name: string;
}

/**
 * In bytes: as much as a web ACL sees before a load balancer, which is less than before an API. Source: docs.aws.amazon.com AWS WAF,
 * web-acl-setting-body-inspection-limit.
 */
const maxBodyWithoutKey = 8_192;

const windowSeconds = 300;
const unchanged = [{ priority: 0, type: 'NONE' }];

export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { webAcl, resource, name }: WebAclProps) {
    super(scope, id);
    const webAclArn = 'arn' in webAcl ? webAcl.arn : this.ours(webAcl.rate, name);
    new CfnWebACLAssociation(this, 'Association', { resourceArn: resource, webAclArn });
  }

  private ours(rate: number, name: string): string {
    const visibilityConfig = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      // Samples would show the headers of requests, and so API keys.
      sampledRequestsEnabled: false,
      metricName: `${name}-${metricName}`,
    });
    const rule = (
      priority: number,
      ruleName: string,
      statement: CfnWebACL.StatementProperty,
    ): CfnWebACL.RuleProperty => ({
      name: ruleName,
      priority,
      statement,
      action: { block: {} },
      visibilityConfig: visibilityConfig(ruleName),
    });
    const acl = new CfnWebACL(this, 'Acl', {
      description: 'Limits what one address sends to the gateway',
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityConfig('requests'),
      rules: [
        rule(0, 'rate-of-address', {
          rateBasedStatement: { limit: rate, aggregateKeyType: 'IP', evaluationWindowSec: windowSeconds },
        }),
        rule(1, 'large-body-without-key', {
          andStatement: { statements: [isLarge, ...['authorization', ...keyHeaders].map(without)] },
        }),
      ],
    });
    return acl.attrArn;
  }
}

/** A body that the web ACL sees only in part is larger than that. */
const isLarge: CfnWebACL.StatementProperty = {
  sizeConstraintStatement: {
    fieldToMatch: { body: { oversizeHandling: 'MATCH' } },
    comparisonOperator: 'GT',
    size: maxBodyWithoutKey,
    textTransformations: unchanged,
  },
};

/** A statement about a header does not match where there is none. Source: AWS WAF, waf-rule-statement-type-size-constraint-match. */
const without = (header: string): CfnWebACL.StatementProperty => ({
  notStatement: {
    statement: {
      sizeConstraintStatement: {
        fieldToMatch: { singleHeader: { Name: header } },
        comparisonOperator: 'GT',
        size: 0,
        textTransformations: unchanged,
      },
    },
  },
});
