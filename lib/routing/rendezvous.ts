/**
 * Rendezvous hashing: a key orders choices by a score of its own for each, the same in every process. Adding or removing a
 * choice moves only the keys that choose it.
 */
import { hash } from 'node:crypto';

/** The choices, the one with the highest score first. Over many keys, each is first as often as its weight says. */
export function rendezvous<Choice>(
  key: string,
  choices: readonly Choice[],
  { name, weight = () => 1 }: { name: (choice: Choice) => string; weight?: (choice: Choice) => number },
): readonly Choice[] {
  if (choices.length < 2) return choices;
  return choices
    .map((choice) => ({ choice, score: weight(choice) / -Math.log(fraction(`${key}\n${name(choice)}`)) }))
    .toSorted((one, other) => other.score - one.score)
    .map(({ choice }) => choice);
}

/** Above 0 and below 1, evenly spread: 48 bits of a hash. */
const fraction = (text: string) => (Number.parseInt(hash('sha256', text).slice(0, 12), 16) + 0.5) / 2 ** 48;
