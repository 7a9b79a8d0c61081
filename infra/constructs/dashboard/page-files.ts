/**
 * The files of the dashboard in a private bucket. Assets are named by their content: they are cached for good, and those of earlier versions
 * stay, since a page that is open loads some of them later. The index, which names them, is asked for each time, and comes last.
 */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { assetCacheControl, indexCacheControl } from '../../../lib/http/page/page-headers.ts';
import { acknowledge, acknowledgeAll, assetRules } from '../acknowledge.ts';
import { type LogKeeping, logGroup } from '../watching/log-lines.ts';

interface PageFilesProps {
  /** The directory of `index.html` and `assets/`. */
  readonly page: string;
  readonly logs: LogKeeping;
}

/** In the bucket, as in the address of the dashboard. */
const prefix = 'dashboard';
const index = 'index.html';

export class PageFiles extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, { page, logs }: PageFilesProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Each deployment writes them again.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    // The library's types are not those of its own interfaces, under the compiler's strict rule for optional members.
    this.bucket = bucket as IBucket;
    acknowledge(bucket, { S1: 'CloudFront alone reads it, and it holds files that everyone may read.' });
    const shared = {
      destinationBucket: this.bucket,
      destinationKeyPrefix: prefix,
      prune: false,
      retainOnDelete: true,
      outputObjectKeys: false,
      // One function of the library copies for both.
      logGroup: logGroup(this, 'CopyLogs', logs),
    };
    const assets = new BucketDeployment(this, 'Assets', {
      ...shared,
      sources: [Source.asset(page, { exclude: [index] })],
      cacheControl: [CacheControl.fromString(assetCacheControl)],
    });
    const latest = new BucketDeployment(this, 'Index', {
      ...shared,
      sources: [Source.asset(page, { exclude: ['*', `!${index}`] })],
      cacheControl: [CacheControl.fromString(indexCacheControl)],
    });
    latest.node.addDependency(assets);
    acknowledgeCopies(this, bucket);
  }
}

/** What the rules find in the functions of the library that copy and remove files. */
function acknowledgeCopies(scope: Construct, bucket: Bucket): void {
  const stack = Stack.of(scope);
  const id = stack.resolve((bucket.node.defaultChild as { logicalId?: string }).logicalId);
  const actions = ['s3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:DeleteObject*', 's3:Abort*'];
  const rules = [
    ...assetRules,
    ...actions.map((action) => `IAM5[Action::${action}]`),
    `IAM5[Resource::<${id}.Arn>/*]`,
    'L1',
  ];
  for (const child of stack.node.children as Construct[])
    if (/^Custom::(?:CDKBucketDeployment|S3AutoDelete)/.test(child.node.id))
      acknowledgeAll(child, rules, 'The library grants it, to copy and remove files.');
}
