/** Money between people, who write US dollars, and the gateway, which counts whole nano-dollars. Exact both ways. */

const decimals = 9;

/** Undefined for what is no amount, or has more than nine decimals, or is too large to be counted exactly. */
export function parseDollars(text: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const amount = Number(whole + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** With as many decimals as there are, at least two: `50.00`, `0.000000125`. */
export function formatDollars(nanoDollars: number): string {
  const digits = String(Math.abs(nanoDollars)).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0');
  return `${nanoDollars < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${fraction}`;
}
