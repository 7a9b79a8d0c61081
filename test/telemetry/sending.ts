/** What sends spans and metrics, as the aggregator has it, with a log and a clock of the test's own. */
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { AwsCall, Sign } from '../../lib/core/ports/aws.ts';
import type { SendForText } from '../../lib/core/ports/http.ts';
import { createTelemetry } from '../../lib/runtime/telemetry-runtime.ts';
import type { SendTelemetry } from '../../lib/telemetry/telemetry.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface Sending {
  readonly send: SendTelemetry;
  readonly lines: readonly LogLine[];
  /** Lets time pass for what decides when to send. */
  advance(ms: number): void;
}

interface SendingParts {
  readonly sign?: Sign;
  readonly ssm?: AwsCall;
  readonly sendForText?: SendForText;
  readonly headersParameter?: string;
}

const unused = () => Promise.reject(new Error('It is not to be called.'));

export function createSending(variables: Record<string, string>, parts: SendingParts = {}): Sending {
  const { sign = unused, ssm = unused, headersParameter } = parts;
  const lines: LogLine[] = [];
  let passed = 0;
  const add = (level: LogLine['level']) => (message: string, fields: object) =>
    void lines.push({ level, message, ...fields });
  const send = createTelemetry({
    variables,
    environment: {
      AWS_REGION: 'eu-west-1',
      ...(headersParameter !== undefined && { GATEWAY_OTLP_HEADERS_PARAMETER: headersParameter }),
    },
    now: () => Date.now() + passed,
    log: { info: add('info'), warn: add('warn'), error: add('error') },
    sendForText: parts.sendForText ?? createNodeClient().sendForText,
    sign,
    ssm,
  });
  return {
    send,
    lines,
    advance(ms) {
      passed += ms;
    },
  };
}

let sequence = 0;

/** The changes with which these records end, as the stream has them. */
export const endOf = (...records: readonly LedgerRecord[]): readonly LedgerChange[] =>
  records.map((record) => {
    sequence += 1;
    return { sequence: `${sequence}`, at: Date.now(), after: { state: 'done', record } };
  });
