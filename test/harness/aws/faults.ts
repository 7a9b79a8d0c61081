/** Faults that a test makes the fake AWS have, by the action as policies name it: `ssm:GetParameter`. */

type InjectedFault = 'denied' | 'throttled' | 'unavailable' | 'disconnected' | { readonly delayMs: number };

export interface Faults {
  /** `action` may end with `*`. Of several that match, the first one counts. */
  add(action: string, fault: InjectedFault, options?: { readonly times?: number }): void;
  clear(): void;
}

interface Added {
  readonly action: string;
  readonly fault: InjectedFault;
  left: number;
}

export function createFaults(): Faults & { readonly next: (action: string) => InjectedFault | undefined } {
  let all: Added[] = [];
  return {
    add(action, fault, { times = Number.POSITIVE_INFINITY } = {}) {
      all.push({ action, fault, left: times });
    },
    clear() {
      all = [];
    },
    next(action) {
      const found = all.find((one) => one.left > 0 && matches(one.action, action));
      if (found) found.left -= 1;
      return found?.fault;
    },
  };
}

const matches = (pattern: string, action: string) =>
  pattern.endsWith('*') ? action.startsWith(pattern.slice(0, -1)) : pattern === action;
