/** Why a server cannot start, in words that name what to change. */

/** Where it should listen, by which variable. */
interface Place {
  readonly variable: string;
  readonly port: number;
  readonly host: string;
}

/** For the log: what is thrown at the start holds nothing of a caller. */
export function explainStart(thrown: unknown, { variable, port, host }: Place): string {
  const { code, syscall, message }: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error();
  if (code === 'EADDRINUSE') return `${variable} is ${port}, which is in use.`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return `HOST is ${host}, which is no address of this machine.`;
  if (code === 'EACCES' && syscall === 'listen')
    return `${variable} is ${port}, on which this user may not listen. Choose one above 1023.`;
  return message || 'An unknown failure.';
}
