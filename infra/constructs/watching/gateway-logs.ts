/** The log groups of what serves a gateway, each made when its first function needs it. */
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { WebLogs } from '../web/web-function.ts';
import { type Counting, LineMetrics } from './line-metrics.ts';
import { type LogKeeping, logGroup } from './log-lines.ts';

interface GatewayLogsProps {
  readonly logDays: number;
  /** Whether what has records outlives the stack. */
  readonly retain: boolean;
  readonly counting: Counting;
}

export class GatewayLogs {
  /** The names of the groups of what serves requests that call models. */
  readonly names: string[] = [];
  /** Of what has no records. */
  readonly plain: LogKeeping;
  /** Of what may have a record that could not be written into the ledger. */
  readonly records: LogKeeping;
  readonly #scope: Construct;
  readonly #counting: Counting;
  #requests: LogGroup | undefined;
  #web: WebLogs | undefined;

  constructor(scope: Construct, { logDays, retain, counting }: GatewayLogsProps) {
    this.#scope = scope;
    this.#counting = counting;
    this.plain = { days: logDays, outliveStack: false };
    this.records = { days: logDays, outliveStack: retain };
  }

  /**
   * One group for all functions for events that call models: each with its own would need a filter for each line that is counted, and
   * a stack may have 500 resources. Source: docs.aws.amazon.com Lambda, monitoring-cloudwatchlogs-loggroups.
   */
  get requests(): LogGroup {
    this.#requests ??= this.#counted(logGroup(this.#scope, 'RequestLogs', this.records));
    return this.#requests;
  }

  #counted(logs: LogGroup): LogGroup {
    this.names.push(logs.logGroupName);
    new LineMetrics(this.#scope, 'RequestLines', { logs, ...this.#counting, of: 'requests' });
    return logs;
  }

  /** The same for Web Functions. */
  get web(): WebLogs {
    this.#web ??= this.#countedOnWeb(new WebLogs(this.#scope, 'Web', this.records));
    return this.#web;
  }

  #countedOnWeb(web: WebLogs): WebLogs {
    this.names.push(web.group.logGroupName);
    const wrapped = { logs: web.group, ...this.#counting, of: 'requests', isWrapped: true } as const;
    new LineMetrics(web, 'Usage', wrapped);
    return web;
  }
}
