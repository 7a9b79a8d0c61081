/**
 * What charts over time share: the axes, the gaps, and a mark at one slot that a pointer, a finger or the arrow keys move.
 * The keys belong to a range input that is not seen: a screen reader speaks the slot's time and values.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Axis, type Frame, frameOf, slotAt, slotMiddle, slotStart, yOf } from './frame.ts';
import { type Grain, timeTicks } from './time-ticks.ts';

export interface TimePlotProps {
  readonly title: string;
  /** What a person who does not see the chart has to know. */
  readonly description: string;
  /** When each slot begins, in Unix seconds. */
  readonly times: readonly number[];
  readonly grain: Grain;
  readonly axis: Axis;
  readonly format: (value: number) => string;
  /** The runs of slots without data, as `[from, to)`. */
  readonly gaps: readonly (readonly [number, number])[];
  /** The slot that is marked; null: none. */
  readonly marked: number | null;
  readonly onMark: (slot: number | null) => void;
  /** The time and the values of a slot, in words. */
  readonly words: (slot: number) => string;
  /** A click, or Enter, at the marked slot. */
  readonly onPick?: ((slot: number) => void) | undefined;
  /** A pointer was drawn from one slot to another one; both count. */
  readonly onZoom: (first: number, last: number) => void;
  readonly shapes: (frame: Frame) => ComponentChildren;
}

const height = 220;

export function TimePlot(props: TimePlotProps) {
  const { title, description, times, marked, onMark, words, onPick, onZoom } = props;
  const id = useId();
  const [plot, width] = useWidth<HTMLDivElement>(640);
  const frame = frameOf(width, height, props.axis.ticks.map(props.format));
  const last = times.length - 1;
  const startOf = (slot: number) => slotStart(frame, slot, times.length);
  const atOf = (event: PointerEvent) => event.clientX - (plot.current?.getBoundingClientRect().left ?? 0);
  const slotOf = (at: number) => slotAt(frame, at, times.length) ?? null;
  const mark = (event: PointerEvent) => onMark(slotOf(atOf(event)));
  const pick = () => marked !== null && onPick?.(marked);
  // What is drawn beyond the edge goes to the edge.
  const nearest = (event: PointerEvent) =>
    slotOf(Math.min(Math.max(atOf(event), frame.left), frame.right - 1));
  const drawn = useDrawn(nearest, onZoom, pick);
  const [first, end] = drawn.between(marked);
  return (
    <div class="plot" ref={plot}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the range input has the keys */}
      <svg
        role="img"
        aria-labelledby={`${id}-title ${id}-description`}
        class={onPick ? 'pickable' : undefined}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        onPointerMove={mark}
        onPointerDown={(event) => {
          mark(event);
          drawn.begin(event);
        }}
        onPointerUp={drawn.end}
        onPointerCancel={drawn.cancel}
        onPointerLeave={() => onMark(null)}
        onClick={drawn.click}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-description`}>{description}</desc>
        <Grid {...props} frame={frame} />
        {first !== null && end !== null && (
          <rect
            class="marked-slot"
            x={startOf(first)}
            y={frame.top}
            width={Math.max(startOf(end) - startOf(first), 1)}
            height={frame.bottom - frame.top}
          />
        )}
        {props.shapes(frame)}
        <path class="base-line" d={`M${frame.left} ${frame.bottom + 0.5}H${frame.right}`} />
      </svg>
      <input
        type="range"
        class="unseen"
        aria-label={`${title}: time`}
        aria-valuetext={words(marked ?? last)}
        min={0}
        max={last}
        value={marked ?? last}
        onInput={(event) => onMark(Number(event.currentTarget.value))}
        onFocus={() => onMark(marked ?? last)}
        onBlur={() => onMark(null)}
        onKeyDown={(event) => event.key === 'Enter' && pick()}
      />
    </div>
  );
}

/** A press that moves to another slot zooms; one that does not is a click. */
function useDrawn(
  slotOf: (event: PointerEvent) => number | null,
  onZoom: TimePlotProps['onZoom'],
  pick: () => void,
) {
  const [start, setStart] = useState<number | null>(null);
  const hasZoomed = useRef(false);
  return {
    begin: (event: PointerEvent & { currentTarget: Element }) => {
      hasZoomed.current = false;
      if (event.button !== 0) return;
      // It may be released anywhere.
      event.currentTarget.setPointerCapture(event.pointerId);
      setStart(slotOf(event));
    },
    end: (event: PointerEvent) => {
      const last = slotOf(event);
      setStart(null);
      if (start === null || last === null || start === last) return;
      hasZoomed.current = true;
      onZoom(Math.min(start, last), Math.max(start, last));
    },
    cancel: () => setStart(null),
    // The browser reports a click after each press.
    click: () => {
      if (!hasZoomed.current) pick();
    },
    /** The slots that are marked, as `[from, to)`. */
    between: (marked: number | null) =>
      marked === null
        ? ([null, null] as const)
        : ([Math.min(start ?? marked, marked), Math.max(start ?? marked, marked) + 1] as const),
  };
}

function Grid({ times, grain, axis, format, gaps, frame }: TimePlotProps & { readonly frame: Frame }) {
  const count = times.length;
  const labels = timeTicks(times, grain, (frame.right - frame.left) / Math.max(1, count));
  return (
    <g>
      {axis.ticks.map((tick) => {
        const y = Math.round(yOf(frame, axis, tick)) + 0.5;
        return (
          <g key={tick}>
            {tick > 0 && <path class="grid-line" d={`M${frame.left} ${y}H${frame.right}`} />}
            <text x={frame.left - 8} y={y + 4} text-anchor="end">
              {format(tick)}
            </text>
          </g>
        );
      })}
      {gaps.map(([from, to]) => (
        <Gap key={from} frame={frame} from={slotStart(frame, from, count)} to={slotStart(frame, to, count)} />
      ))}
      {labels.map(({ slot, label }) => {
        const x = grain === 'day' ? slotMiddle(frame, slot, count) : slotStart(frame, slot, count);
        // The first and last label stay inside.
        const half = label.length * 3.3;
        const inside = Math.min(Math.max(x, frame.left + half - 8), frame.right - half);
        return (
          <text key={slot} x={inside} y={frame.bottom + 17} text-anchor="middle">
            {label}
          </text>
        );
      })}
    </g>
  );
}

/** Slanted lines, 8 pixels apart: there is no data, which is not 0. */
function Gap({ frame, from, to }: { readonly frame: Frame; readonly from: number; readonly to: number }) {
  const { top, bottom } = frame;
  const lines = [];
  for (let x = from - (bottom - top); x < to; x += 8) {
    const [start, end] = [Math.max(from, x), Math.min(to, x + bottom - top)];
    lines.push(`M${start} ${bottom - (start - x)}L${end} ${bottom - (end - x)}`);
  }
  return (
    <path class="gap" d={lines.join('')}>
      <title>No data is kept for this time.</title>
    </path>
  );
}

/** `initial` is used until the element is laid out. In whole pixels. */
export function useWidth<T extends Element>(initial: number): readonly [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = () => setWidth(Math.floor(current.getBoundingClientRect().width) || initial);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [initial]);
  return [element, width];
}
