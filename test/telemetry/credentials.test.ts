/** Signatures for CloudWatch's endpoints, and headers that the parameter store keeps. */
import { AwsV4Signer } from 'aws4fetch';
import { beforeEach, describe, expect, test } from 'vitest';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { HttpRequest } from '../../lib/core/ports/http.ts';
import { otlpSigning } from '../../lib/transport/aws/aws-partitions.ts';
import { createSigner } from '../../lib/transport/aws/sign-action.ts';
import { testRecord } from '../harness/ledger.ts';
import { startReceiver } from '../harness/otlp/receiver.ts';
import { use } from '../harness/use.ts';
import { createSending, endOf } from './sending.ts';

const receiver = use(startReceiver);

beforeEach(() => receiver.clear());

const identity = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'token',
};

/** What another implementation puts into `authorization` for the same request at the same second. */
async function signIndependently({ url, headers, body }: HttpRequest, service: string) {
  const {
    authorization,
    'x-amz-date': datetime = '',
    'x-amz-security-token': _,
    'user-agent': __,
    ...others
  } = headers;
  const given = {
    ...identity,
    service,
    region: 'eu-west-1',
    method: 'POST',
    url,
    datetime,
    allHeaders: true,
  };
  const signer = new AwsV4Signer({
    ...given,
    headers: others,
    body: Uint8Array.from(body as Uint8Array).buffer,
  });
  return [authorization, (await signer.sign()).headers.get('authorization')];
}

test('requests to CloudWatch are signed: spans for X-Ray, metrics for CloudWatch', async () => {
  const sent: HttpRequest[] = [];
  const { send, lines } = createSending(
    {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://xray.eu-west-1.amazonaws.com/v1/traces',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://monitoring.eu-west-1.amazonaws.com/v1/metrics',
    },
    {
      sign: createSigner(async () => identity),
      async sendForText(request) {
        sent.push(request);
        return { status: 200, headers: {}, text: '{}' };
      },
    },
  );
  await send('shard', endOf(testRecord()));
  expect(lines).toEqual([]);
  const [traces, metrics] = ['xray', 'monitoring'].map((service) =>
    sent.find(({ url }) => url.startsWith(`https://${service}.`)),
  );
  if (!traces || !metrics) throw new Error('Not both were sent.');
  for (const [request, service] of [
    [traces, 'xray'],
    [metrics, 'monitoring'],
  ] as const) {
    expect(request.headers.authorization).toContain(`/eu-west-1/${service}/aws4_request`);
    const [authorization, expected] = await signIndependently(request, service);
    expect(authorization).toBe(expected);
  }
});

test.each([
  ['https://xray.us-east-1.amazonaws.com/v1/traces', 'xray us-east-1'],
  ['https://xray-fips.us-gov-west-1.amazonaws.com/v1/traces', 'xray us-gov-west-1'],
  ['https://monitoring.cn-north-1.amazonaws.com.cn/v1/metrics', 'monitoring cn-north-1'],
  ['https://monitoring.eu-west-1.api.aws/v1/metrics', 'monitoring eu-west-1'],
  ['http://xray.us-east-1.amazonaws.com/v1/traces', ''],
  ['https://xray.us-east-1.amazonaws.com.example.com/v1/traces', ''],
  ['https://xray.cn-north-1.amazonaws.com/v1/traces', ''],
  ['https://xray.example.com/v1/traces', ''],
  ['https://logs.us-east-1.amazonaws.com/v1/logs', ''],
])('%s is signed for "%s"', (url, expected) => {
  const { service, region } = otlpSigning(new URL(url)) ?? {};
  expect([service, region].filter(Boolean).join(' ')).toBe(expected);
});

describe('the parameter with secret headers', () => {
  const name = '/Gateway/telemetry/headers';
  const sendWith = async (ssm: (action: string, input: object) => Promise<Record<string, unknown>>) => {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-plain=1',
    };
    const sending = createSending(variables, { ssm, headersParameter: name });
    await sending.send('shard', endOf(testRecord()));
    return sending;
  };
  const headers = () => receiver.bodies.at(-1)?.headers;

  test('is read decrypted, once for some minutes', async () => {
    const asked: unknown[] = [];
    const { send, advance } = await sendWith(async (...call) => {
      asked.push(call);
      return { Parameter: { Value: 'Authorization=Bearer%20secret,x-team=a' } };
    });
    expect(headers()).toMatchObject({ authorization: 'Bearer secret', 'x-team': 'a', 'x-plain': '1' });
    await send('shard', endOf(testRecord()));
    expect(asked).toEqual([['AmazonSSM.GetParameter', { Name: name, WithDecryption: true }]]);
    advance(301_000);
    await send('shard', endOf(testRecord()));
    expect(asked).toHaveLength(2);
  });

  test('may be missing', async () => {
    const { lines } = await sendWith(async () => {
      throw new AwsError('ParameterNotFound', '', 400);
    });
    expect([lines, receiver.spans.length]).toEqual([[], 2]);
  });

  test.each([
    ['cannot be read', async () => Promise.reject(new AwsError('AccessDeniedException', '', 400))],
    ['is no list', async () => ({ Parameter: { Value: 'the-secret' } })],
  ])('that %s stops what is sent, and its value is not logged', async (_, ssm) => {
    const { lines } = await sendWith(ssm);
    expect(lines).toMatchObject([{ message: 'telemetry dropped', count: 2, reason: 'headers not read' }]);
    expect(JSON.stringify(lines)).not.toContain('the-secret');
    expect(receiver.requests()).toBe(0);
  });
});
