/** Options of the cost model that are numbers. */
import { UsageError } from '../command.ts';

export interface NumberOption {
  readonly value: string;
  readonly description: string;
  readonly defaultValue: number;
  readonly min: number;
  readonly max: number;
  readonly decimals?: number;
}

/** Throws UsageError. */
export function readNumber(name: string, option: NumberOption, text: string | undefined): number {
  if (text === undefined) return option.defaultValue;
  const { min, max, decimals = 0 } = option;
  const value = Number(text);
  const [, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(text) ?? [undefined, 'x'.repeat(10)];
  if (fraction.length <= decimals && value >= min && value <= max) return value;
  const kind = decimals > 0 ? `a number with at most ${decimals} decimals` : 'a whole number';
  throw new UsageError(`--${name} must be ${kind} from ${min} to ${max}, not ${text}.`);
}
