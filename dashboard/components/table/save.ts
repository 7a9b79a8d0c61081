/** Has the browser save a text as a file. */

/** A mark by which spreadsheets know that a file is UTF-8. */
const byteOrderMark = '\ufeff';

/** @param name Without the date and the ending. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([byteOrderMark, text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
