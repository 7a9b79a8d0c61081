/** The page `docs/operate/telemetry.md`: how to get spans and metrics of requests, and what is in them. */
import { attemptAttributes, requestAttributes } from '../../lib/telemetry/attributes.ts';
import { metricRows } from '../../lib/telemetry/metrics.ts';
import { code, generated, page, table } from './markdown.ts';

const introduction = `The gateway sends a trace of each request, and metrics, to any OpenTelemetry endpoint that takes OTLP over HTTP as JSON. The names are those of the
[conventions for generative AI](https://github.com/open-telemetry/semantic-conventions-genai), whose status is "Development": they may change there, and then here.

Spans and metrics are made from the final record of the ledger by the [aggregator](../decisions/0015-ledger.md), seconds after the request has ended. So they cost a request nothing, and a
collector that is slow or gone delays neither requests nor sums nor limits: what cannot be sent is dropped, and counted in log lines \`telemetry dropped\`.
([Decision 38](../decisions/0038-alarms-and-telemetry.md))`;

const local = `Set the endpoint, and start the gateway, or the server and its aggregator:

${code('sh', 'OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 npm start')}

[settings.md](../reference/settings.md#opentelemetry) has every variable.`;

const onAws = `${code('sh', 'npm run deploy -- -c otlpEndpoint=https://otel.example.com\nnpm run deploy -- -c otlpEndpoint=cloudwatch')}

With \`cloudwatch\`, spans go to X-Ray's endpoint (Transaction Search must be on in the account) and metrics to CloudWatch's, signed with the aggregator's role. AWS charges by the
GB for both: a request with one attempt has about 2 KB of spans, and metrics grow with the number of models, not of requests. For any other endpoint, headers that are secret go into the parameter store, and never into the template:

${code('sh', "aws ssm put-parameter --type SecureString --name /ModelGateway/telemetry/headers --value 'api-key=...'")}

\`ModelGateway\` is the name of the stack. A stack with a key of its own (\`kmsKeyArn\`) needs \`--key-id\` with it. The aggregator reads the parameter again every five minutes.`;

const traces = `A caller that sends \`traceparent\` (and \`tracestate\`) gets its own trace continued: the span of the request is a child of the caller's. A caller whose trace is not sampled gets no spans; its
metrics count. Without a valid header, the id of the trace is the id of the request without its dashes, so one is found by the other.

Ids follow from the id of the request: a record that is delivered twice gives the same spans. Metrics are deltas, one for each batch of records; a batch that is delivered again after a crash counts
twice in them. The ledger is what bills are made of.

Providers get no \`traceparent\`, unless \`-c traceProviders=\` or \`GATEWAY_TRACE_PROVIDERS\` names them: it would let a provider see which requests belong together, and only servers of your own
make spans of it. Then each attempt has its own span as the parent, and the headers are added after a request was signed.`;

const left = `None of this has a prompt, an answer, a secret, a tag or the caller's id of its user. The caller's id of its session is in it (\`gen_ai.conversation.id\`).

A request costs 22 bytes more in the ledger where spans are on, for its finish reasons, and 61 more if its caller sent \`traceparent\`; a typical one still fits into one write unit.`;

export function telemetryPage(): string {
  const attributes = (rows: Readonly<Record<string, { readonly type: string; readonly meaning: string }>>) =>
    table(
      ['Attribute', 'Type', 'Meaning'],
      Object.entries(rows).map(([name, { type, meaning }]) => [`\`${name}\``, type, meaning]),
    );
  const metrics = table(
    ['Histogram', 'Unit', 'Meaning'],
    metricRows.map(({ name, unit, description }) => [`\`${name}\``, unit, description]),
  );
  return page([
    generated,
    '# OpenTelemetry',
    introduction,
    '## On a laptop and on your own hosts',
    local,
    '## On AWS',
    onAws,
    '## Traces',
    traces,
    '## The span of a request',
    'Kind SERVER, named by method and path, such as `POST /v1/chat/completions`. It has failed if the status is 500 or higher, or if a stream that began ended with an error.',
    attributes(requestAttributes),
    '## The span of an attempt',
    'Kind CLIENT, one for each call of a provider: retries and fallbacks have their own. It is named by operation and model, such as `chat openai/gpt-4.1`. A stream that was cut off has failed.',
    attributes(attemptAttributes),
    '## Metrics',
    'Of attempts, by `gen_ai.operation.name`, `gen_ai.provider.name` and `gen_ai.request.model`; durations also by `error.type`, tokens by `gen_ai.token.type` (`input`, `output`). Tokens that the gateway estimated are left out. None is by tenant or key: there may be any number of them.',
    metrics,
    '## What is left out',
    left,
  ]);
}
