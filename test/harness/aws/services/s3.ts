/** Buckets, by path. Sources: docs.aws.amazon.com S3, API_PutObject; sig-v4-header-based-auth (the hash of the body is required). */
import { AwsRefusal, type FakeService } from '../service.ts';

/** `objects` gets the bodies by `<bucket>/<key>`. */
export const s3 = (objects: Map<string, string> = new Map()): FakeService => ({
  name: 's3',
  protocol: 'xml',
  routes: { PutObject: 'PUT /{bucket}/(?<key>.+)' },
  needs: (action, { bucket, key }, { account }) => [
    {
      action: `s3:${action}`,
      resource: `arn:aws:s3:::${bucket}/${key}`,
      context: { 's3:ResourceAccount': [account] },
    },
  ],
  actions: {
    PutObject({ bucket, key }, { request: { headers, body } }) {
      if (headers['x-amz-content-sha256'] === undefined)
        throw new AwsRefusal('MissingSecurityHeader', 'Your request was missing a required header', 400);
      objects.set(`${bucket}/${key}`, body.toString());
      return {};
    },
  },
});
