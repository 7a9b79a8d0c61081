/**
 * The bucket of the files of tenants: private, with TLS only, encrypted, and emptied by itself, since the gateway deletes only what is deleted
 * by a caller. It is retained as tables are.
 */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

interface FilesBucketProps {
  /** Whether it outlives its stack. */
  readonly retain: boolean;
  /** The ARN of the operator's key; a key of S3 if empty. */
  readonly kmsKeyArn: string;
  /** The longest that a file is kept. */
  readonly days: number;
}

export class FilesBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { retain, kmsKeyArn, days }: FilesBucketProps) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      ...(kmsKeyArn
        ? {
            encryption: BucketEncryption.KMS,
            encryptionKey: Key.fromKeyArn(this, 'Key', kmsKeyArn),
            bucketKeyEnabled: true,
          }
        : { encryption: BucketEncryption.S3_MANAGED }),
      lifecycleRules: [
        { expiration: Duration.days(days + 1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acknowledge(this.bucket, {
      S1: 'Each request for a file leaves a line in the log of its function, with the tenant and the key.',
    });
  }
}
