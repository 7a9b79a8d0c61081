/** Lines of comma-separated values (RFC 4180). No value can be read as a formula by a spreadsheet. */

/** Without the end of the line. Objects are written as JSON; null and undefined are empty. */
export const toCsvLine = (values: readonly unknown[]): string => values.map(toCell).join(',');

function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether a spreadsheet would compute it. A number, even a negative one, is not a formula. */
const isFormula = (text: string) => /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
