/** What is wrong with the source of a pattern. */
import { automatonOf } from './automaton.ts';
import { PatternError, readPattern } from './syntax.ts';

/** Undefined: nothing. */
export function problemOfPattern(source: string): string | undefined {
  try {
    automatonOf(readPattern(source));
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
