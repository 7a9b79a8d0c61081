/**
 * Verifies Signature Version 4 as AWS does, with another implementation than the gateway's. Sources: docs.aws.amazon.com IAM,
 * reference_sigv-create-signed-request and reference_sigv (a request counts for five minutes).
 */
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { Principal, RawRequest } from './service.ts';

export interface Scope {
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
  /** Lower-case names. */
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

export type Fault = 'missing' | 'unknown key' | 'wrong token' | 'old' | 'wrong';

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/\s]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

const validMs = 300_000;

export function readScope({ headers }: RawRequest): Scope | undefined {
  const [, accessKeyId, , region, service, names, signature] = form.exec(headers.authorization ?? '') ?? [];
  if (!accessKeyId || !region || !service || !names || !signature) return undefined;
  return { accessKeyId, region, service, signedHeaders: names.split(';'), signature };
}

/** Why AWS would not accept the signature; undefined if it would. */
export async function faultOf(
  request: RawRequest,
  scope: Scope,
  principal: Principal | undefined,
): Promise<Fault | undefined> {
  if (!principal) return 'unknown key';
  if (request.headers['x-amz-security-token'] !== principal.sessionToken) return 'wrong token';
  const time = request.headers['x-amz-date'] ?? '';
  if (!(Math.abs(Date.now() - millisecondsOf(time)) <= validMs)) return 'old';
  const { 'x-amz-content-sha256': stated } = request.headers;
  const hash = createHash('sha256').update(request.body).digest('hex');
  if (stated !== undefined && stated !== hash) return 'wrong';
  // What says where and what a request is must be signed.
  const required = Object.keys(request.headers).filter(
    (name) => name === 'host' || name.startsWith('x-amz-'),
  );
  if (required.some((name) => !scope.signedHeaders.includes(name))) return 'wrong';
  return (await sign(request, scope, principal, time)) === scope.signature ? undefined : 'wrong';
}

function millisecondsOf(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** What the signer adds by itself. */
const ownHeaders = ['host', 'x-amz-date', 'x-amz-security-token'];

async function sign(request: RawRequest, scope: Scope, principal: Principal, datetime: string) {
  const names = scope.signedHeaders.filter((name) => !ownHeaders.includes(name));
  const signer = new AwsV4Signer({
    accessKeyId: principal.accessKeyId,
    secretAccessKey: principal.secretAccessKey,
    ...(principal.sessionToken !== undefined && { sessionToken: principal.sessionToken }),
    service: scope.service,
    region: scope.region,
    method: request.method,
    url: `http://${request.headers.host}${request.path}`,
    headers: Object.fromEntries(names.map((name) => [name, request.headers[name] ?? ''])),
    body: request.body,
    datetime,
    allHeaders: true,
  });
  return await signer.signature();
}
