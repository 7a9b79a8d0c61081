/** A line that says what a command is doing, if it takes longer than a moment. */

const momentMs = 400;

/** Writes the line to standard error, unless the returned function is called before. */
export function showProgress(line: string): () => void {
  const timer = setTimeout(() => console.error(line), momentMs);
  return () => clearTimeout(timer);
}
