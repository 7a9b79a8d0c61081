/**
 * The dashboard behind CloudFront: its files, and the admin API at the same origin, so that no request crosses origins. It names the API and
 * never its stage: the functions, which come before the stage, need the address of this. Callers of models never come by here.
 */
import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { pageHeaders } from '../../../lib/http/page/page-headers.ts';
import type { Domain } from '../../settings/groups/edge.ts';
import { acknowledge } from '../acknowledge.ts';
import { stageName } from '../api/api-stage.ts';
import { uniqueName } from '../function/unique-name.ts';
import { pageIndex, pageRequest } from './page-request.ts';

interface PageSiteProps {
  readonly files: IBucket;
  /** The host of the admin API. */
  readonly apiHost: string;
  readonly domain: Domain | undefined;
}

/** Paths of the admin API. */
const apiPaths = ['/admin/*', '/account/*'];

/** The longest that CloudFront waits for an answer without a quota of its own. Source: docs.aws.amazon.com CloudFront, cloudfront-limits. */
const longestWait = Duration.seconds(60);
const year = Duration.days(365);

export class PageSite extends Construct {
  /** Where people open it, without a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { files, apiHost, domain }: PageSiteProps) {
    super(scope, id);
    const request = new CloudFrontFunction(this, 'Request', {
      functionName: uniqueName(),
      comment: 'The index at every address of the dashboard',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(pageRequest),
    });
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Dashboard of ${Stack.of(this).stackName}`,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(files, {
          originAccessControl: new S3OriginAccessControl(this, 'Access', {
            originAccessControlName: uniqueName(),
          }),
          // Without the right to list, a file that is not there would be answered with 403.
          originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: this.headers(`https://${apiHost}`),
        functionAssociations: [{ function: request, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      additionalBehaviors: Object.fromEntries(apiPaths.map((path) => [path, toApi(apiHost)])),
      // Else the files could be listed at the root, if the function that leads away from it were gone.
      defaultRootObject: pageIndex,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    });
    this.url = `https://${domain?.name ?? distribution.distributionDomainName}`;
    if (domain)
      new CfnOutput(Stack.of(this), 'DashboardDomainTarget', {
        value: distribution.distributionDomainName,
        description: `The DNS record of ${domain.name} is an alias of this name, or a CNAME`,
      });
    acknowledge(distribution, {
      ...reasons,
      ...(!domain && {
        CFR4: 'Without a domain of the operator, the certificate is that of CloudFront, whose policy cannot be chosen.',
      }),
    });
    Validations.of(distribution).acknowledge({
      id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      reason: 'The root leads to the dashboard, and has the index as its object beside that.',
    });
  }

  /** Those of the dashboard wherever it is served, and that browsers come back by TLS. */
  private headers(api: string): ResponseHeadersPolicy {
    const {
      'content-security-policy': contentSecurityPolicy = '',
      'x-content-type-options': _,
      'x-frame-options': __,
      'referrer-policy': ___,
      ...others
    } = pageHeaders([api]);
    const override = true;
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: uniqueName(),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override },
        contentTypeOptions: { override },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
        strictTransportSecurity: { accessControlMaxAge: year, override },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override })),
      },
    });
  }
}

/** Nothing is cached, and all is passed on but the host: API Gateway finds the API by its own. */
const toApi = (host: string): BehaviorOptions => ({
  origin: new HttpOrigin(host, {
    originPath: `/${stageName}`,
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    readTimeout: longestWait,
  }),
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  allowedMethods: AllowedMethods.ALLOW_ALL,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
});

const reasons = {
  CFR1: 'Operators may be anywhere.',
  CFR2: 'A web ACL of CloudFront costs money while idle, and people sign in.',
  CFR3: 'The admin API has an access log and writes an audit log; the rest are files that everyone may read.',
};
