/** Which slots of a time axis have a label, and the time of a slot in words. Days and hours are those of UTC. */
import { dayMs } from '../../lib/core/time.ts';
import { dayName, fullDay, here, hourName, monthName } from '../format/times.ts';

export type Grain = 'hour' | 'day';

interface TimeTick {
  readonly slot: number;
  readonly label: string;
}

interface Rule {
  readonly has: (time: Date) => boolean;
  readonly label: (time: Date) => string;
}

const everyHours = (hours: number): Rule => ({
  has: (time) => time.getUTCHours() % hours === 0,
  label: (time) => (time.getUTCHours() === 0 ? dayName(time) : hourName(time)),
});

const days = (has: Rule['has']): Rule => ({
  has: (time) => time.getUTCHours() === 0 && has(time),
  label: dayName,
});

const everyMonths = (months: number): Rule => ({
  has: (time) => time.getUTCHours() === 0 && time.getUTCDate() === 1 && time.getUTCMonth() % months === 0,
  label: monthName,
});

/** From the closest to the widest. */
const rules: Readonly<Record<Grain, readonly Rule[]>> = {
  hour: [...[1, 2, 3, 6, 12].map(everyHours), days(() => true), days((time) => time.getUTCDay() === 1)],
  day: [
    days(() => true),
    days((time) => (time.getTime() / dayMs) % 2 === 0),
    days((time) => time.getUTCDay() === 1),
    days((time) => time.getUTCDate() === 1 || time.getUTCDate() === 15),
    ...[1, 2, 3, 6, 12].map(everyMonths),
  ],
};

/** The closest labels that fit: each has at least `room` pixels. Times are Unix seconds. */
export function timeTicks(
  times: readonly number[],
  grain: Grain,
  slotWidth: number,
  room = 52,
): readonly TimeTick[] {
  const dates = times.map((time) => new Date(time * 1000));
  for (const { has, label } of rules[grain]) {
    const ticks = dates.flatMap((time, slot) => (has(time) ? { slot, label: label(time) } : []));
    const closest = Math.min(...ticks.slice(1).map(({ slot }, index) => slot - (ticks[index]?.slot ?? 0)));
    if (ticks.length > 0 && closest * slotWidth >= room) return ticks;
  }
  const [first] = dates;
  return first ? [{ slot: 0, label: dayName(first) }] : [];
}

/** `Nov 3, 2026`, or `Nov 3, 14:00–15:00` with its beginning in the reader's own time; UTC. */
export function slotWords(start: number, grain: Grain, zone?: string): string {
  if (grain === 'day') return fullDay(start);
  const [from, to] = [new Date(start * 1000), new Date((start + 3600) * 1000)];
  return `${dayName(from)}, ${hourName(from)}–${hourName(to)}${here(start, zone)}`;
}
