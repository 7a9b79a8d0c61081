/** The time of a slot in words. */
import { dayName, fullDay, hourName } from '../format/times.ts';
import type { Grain } from './time-ticks.ts';

/** `Nov 3, 2026`, or `Nov 3, 14:00–15:00`; UTC. */
export function slotWords(start: number, grain: Grain): string {
  if (grain === 'day') return fullDay(start);
  const [from, to] = [new Date(start * 1000), new Date((start + 3600) * 1000)];
  return `${dayName(from)}, ${hourName(from)}–${hourName(to)}`;
}
