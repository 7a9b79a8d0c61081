/**
 * CloudWatch metrics that count log lines of a function (`infra/alarms/lines.ts`). A metric costs nothing in hours without a count.
 */
import { FilterPattern, type JsonPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  type Condition,
  type CountedLine,
  countedLines,
  type Line,
  type LogOf,
  lines,
} from '../../alarms/lines.ts';

/** What is counted, and where. */
export interface Counting {
  /** Of the metrics. */
  readonly namespace: string;
  /** Beside the lines that always are. */
  readonly watched: ReadonlySet<CountedLine>;
}

interface LineMetricsProps extends Counting {
  readonly logs: LogGroup;
  readonly of: LogOf;
  /** Whether what a function writes may be within a line of Lambda's. */
  readonly isWrapped?: boolean;
}

export class LineMetrics extends Construct {
  constructor(scope: Construct, id: string, props: LineMetricsProps) {
    super(scope, id);
    const { logs, namespace, of, watched, isWrapped = false } = props;
    for (const metricName of countedLines) {
      const line = lines[metricName];
      const { of: writers, isAlways = false } = line;
      if (!writers.includes(of) || !(isAlways || watched.has(metricName))) continue;
      new MetricFilter(this, metricName, {
        logGroup: logs,
        filterPattern: isWrapped ? wrapped(line) : plain('$', line),
        metricNamespace: namespace,
        metricName,
        metricValue: '1',
      });
    }
  }
}

/** All conditions hold. `root`: where the fields are. */
function plain(root: string, { where, either }: Line): JsonPattern {
  const of = (condition: Condition) => patternOf(root, condition);
  const patterns = [...where.map(of), ...(either ? [FilterPattern.any(...either.map(of))] : [])];
  const [first] = patterns;
  return first && patterns.length === 1 ? first : FilterPattern.all(...patterns);
}

function patternOf(root: string, [field, comparator, value]: Condition): JsonPattern {
  const selector = `${root}.${field}`;
  if (value === true) return FilterPattern.booleanValue(selector, true);
  if (typeof value === 'number') return FilterPattern.numberValue(selector, comparator, value);
  return FilterPattern.stringValue(selector, comparator, value);
}

/**
 * A Web Function's output becomes the message of a line of Lambda's: its text, or what it is in JSON. A text is only searched for a
 * message, as a pattern cannot look for a field in it. Source: aws/agent-toolkit-for-aws, aws-lambda-web-functions, observability.
 */
function wrapped(line: Line): JsonPattern {
  const [first, ...others] = line.where;
  const asText =
    first?.[0] === 'message' && others.length === 0 && !line.either
      ? [FilterPattern.stringValue('$.message', '=', `{*${first[2]}*`)]
      : [];
  return FilterPattern.any(plain('$', line), plain('$.message', line), ...asText);
}
