/** Converts between US dollars, as users write them, and whole nano-dollars, as the gateway counts. Both ways are exact. */

const decimals = 9;

/** Undefined if the text is not an amount, has more than nine decimals, or is too large for an exact number. */
export function parseDollars(text: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const amount = Number(whole + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** The same with a minus sign in front of a negative amount. */
export function parseSignedDollars(text: string): number | undefined {
  const amount = parseDollars(text.replace(/^-/, ''));
  return amount !== undefined && text.startsWith('-') ? 0 - amount : amount;
}

/** With all decimals, at least two: `50.00`, `0.000000125`. */
export function formatDollars(nanoDollars: number): string {
  return `${nanoDollars < 0 ? '-' : ''}${withPoint(Math.abs(nanoDollars), decimals)}`;
}

/** A number of units of which so many decimals are behind the point, of which at least two are written. */
export function withPoint(units: number | bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const fraction = digits
    .slice(-decimals)
    .replace(/(?<!0)0+$/, '')
    .padEnd(2, '0');
  return `${digits.slice(0, -decimals)}.${fraction}`;
}
