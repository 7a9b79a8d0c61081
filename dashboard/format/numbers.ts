/** Counts and shares as text, rounded so that they can be read at a glance. */

/** Every digit: `1,234,567`. */
export const exactCount = (count: number): string =>
  count.toLocaleString('en-US', { maximumFractionDigits: 20 });

const units = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** Every digit below 10,000, else three: `9,999`, `12.3K`, `1.23M`. */
export function count(value: number): string {
  if (Math.abs(value) < 10_000) return exactCount(Math.round(value));
  // What rounds up to the next unit is written in that unit: 1M, not 1000K.
  const [unit, name] = units.find(([size]) => Math.abs(value) >= size * 0.9995) ?? [1, ''];
  return `${threeDigits(value / unit)}${name}`;
}

/** Three digits, without zeros at the end. */
export const threeDigits = (value: number): string => String(Number(value.toPrecision(3)));

/** `12.3%`; never 0% or 100% of what is only near to it. A dash where there is no whole. */
export function share(part: number, whole: number): string {
  if (!(whole > 0)) return '–';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  if (percent < 100 && percent > 99.9) return '>99.9%';
  return `${Number(percent.toFixed(percent < 10 || percent > 99 ? 1 : 0))}%`;
}

/** By which fraction something is more than before; null where there is nothing to compare with. */
export const changeOf = (now: number | null, before: number | null | undefined): number | null =>
  now === null || !before ? null : (now - before) / before;

/** `1 request`, `1,200 requests`. */
export const counted = (value: number, one: string, more = `${one}s`): string =>
  `${exactCount(value)} ${value === 1 ? one : more}`;
