/** One request on a time axis: a bar for each attempt, and a line where the answer began. The same numbers stand beside it as text. */
import { useId } from 'preact/hooks';
import { axisDuration, duration } from '../format/times.ts';
import { type Span, timeBars } from './attempt-bars.ts';
import { useWidth } from './time-plot.tsx';

interface AttemptSpan extends Span {
  readonly name: string;
  readonly hasFailed: boolean;
}

interface AttemptChartProps {
  readonly attempts: readonly AttemptSpan[];
  /** In milliseconds; null: unknown, or it is running. */
  readonly total: number | null;
  readonly firstByte: number | null;
}

const rowHeight = 36;
const axisHeight = 20;
/** Room for the last label of the axis. */
const margin = 24;

export function AttemptChart({ attempts, total, firstByte }: AttemptChartProps) {
  const id = useId();
  const [box, width] = useWidth<HTMLElement>(480);
  const { bars, ticks, firstByte: begun } = timeBars(attempts, total, firstByte);
  const inner = width - margin;
  const bottom = attempts.length * rowHeight;
  const words = attempts.map((attempt) => `${attempt.name}: ${spanWords(attempt)}`);
  if (firstByte !== null) words.push(`the answer began after ${duration(firstByte)}`);
  return (
    <figure class="plot" ref={box}>
      <svg
        role="img"
        aria-labelledby={`${id}-title ${id}-description`}
        viewBox={`0 0 ${width} ${bottom + axisHeight}`}
        width={width}
        height={bottom + axisHeight}
      >
        <title id={`${id}-title`}>Times of the attempts</title>
        <desc id={`${id}-description`}>{words.join('; ')}</desc>
        {ticks.map(({ at, time }) => (
          <g key={time}>
            <path class="grid-line" d={`M${Math.round(at * inner) + 0.5} 0V${bottom}`} />
            <text x={at * inner} y={bottom + 15} text-anchor={at === 0 ? 'start' : 'middle'}>
              {axisDuration(time)}
            </text>
          </g>
        ))}
        {bars.map(({ start, width: part, hasEnd }, index) => (
          <rect
            key={index}
            class={`attempt ${attempts[index]?.hasFailed ? 'has-failed' : ''} ${hasEnd ? '' : 'has-no-end'}`}
            x={start * inner}
            y={index * rowHeight + 19}
            width={Math.max(2, part * inner)}
            height={10}
            rx={2}
          />
        ))}
        {begun !== null && <path class="first-byte" d={`M${begun * inner} 0V${bottom}`} />}
        {attempts.map((attempt, index) => (
          <text key={index} class="attempt-name" x={6} y={index * rowHeight + 13}>
            {attempt.name} <tspan class="attempt-span">{spanWords(attempt)}</tspan>
          </text>
        ))}
      </svg>
      {begun !== null && <figcaption class="quiet">The dashed line: the answer begins.</figcaption>}
    </figure>
  );
}

const spanWords = ({ from, to, hasFailed }: AttemptSpan) => {
  if (to === null) return `since ${duration(from)}`;
  return `${duration(to - from)}${hasFailed ? ', failed' : ''}`;
};
