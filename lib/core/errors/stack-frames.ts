/** The places in the code where an error was thrown, the innermost first. Without its message, which may quote a request over many lines. */
export function framesOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error)) return [];
  const { stack = '', message } = thrown;
  const at = stack.indexOf(message);
  // A message that was changed since cannot be left out.
  if (at < 0) return [];
  const lines = stack.slice(at + message.length).split('\n');
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
