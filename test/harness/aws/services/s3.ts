/**
 * Buckets, by path. Sources: docs.aws.amazon.com S3, API_PutObject, API_GetObject, API_DeleteObject; sig-v4-header-based-auth (the hash of
 * the body is required).
 */
import { hash } from 'node:crypto';
import { AwsRefusal, type FakeService, PassedOn, type RawRequest } from '../service.ts';

/** `objects` gets the bodies by `<bucket>/<key>`. */
export const s3 = (objects: Map<string, Buffer> = new Map()): FakeService => ({
  name: 's3',
  protocol: 'xml',
  routes: {
    PutObject: 'PUT /{bucket}/(?<key>.+)',
    GetObject: 'GET /{bucket}/(?<key>.+)',
    DeleteObject: 'DELETE /{bucket}/(?<key>.+)',
  },
  needs: (action, { bucket, key }, { account }) => [
    {
      action: `s3:${action}`,
      resource: `arn:aws:s3:::${bucket}/${key}`,
      context: { 's3:ResourceAccount': [account] },
    },
  ],
  actions: {
    PutObject({ bucket, key }, { request }) {
      checkHash(request);
      objects.set(`${bucket}/${key}`, request.body);
      return {};
    },
    GetObject({ bucket, key }, { request }) {
      checkHash(request);
      const body = objects.get(`${bucket}/${key}`);
      if (!body) throw new AwsRefusal('NoSuchKey', 'The specified key does not exist.', 404);
      const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
      if (start === undefined) return new PassedOn(200, {}, body);
      if (Number(start) >= body.length) throw new AwsRefusal('InvalidRange', 'Not satisfiable', 416);
      return new PassedOn(206, {}, body.subarray(Number(start), end ? Number(end) + 1 : undefined));
    },
    DeleteObject({ bucket, key }, { request }) {
      checkHash(request);
      objects.delete(`${bucket}/${key}`);
      return new PassedOn(204, {}, Buffer.alloc(0));
    },
  },
});

function checkHash({ headers, body }: RawRequest): void {
  const given = headers['x-amz-content-sha256'];
  if (given === undefined)
    throw new AwsRefusal('MissingSecurityHeader', 'Your request was missing a required header', 400);
  if (given !== hash('sha256', body))
    throw new AwsRefusal('XAmzContentSHA256Mismatch', 'The provided hash does not match', 400);
}
