/** A list in a form, with several fields for each entry: entries are added, moved up and removed. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Button } from '../controls.tsx';
import { FormContext } from './form.tsx';

interface EntriesFieldProps {
  /** The values are named `<name>.<index>.<member>`, and `<name>.count` says how many entries there are. */
  readonly name: string;
  readonly legend: string;
  /** What one is: `target`. */
  readonly entry: string;
  /** The values of a new one. */
  readonly blank: Readonly<Record<string, string>>;
  readonly max: number;
  /** The fields of one. `prefix`: the beginning of their names. */
  readonly children: (prefix: string) => ComponentChildren;
}

export function EntriesField({ name, legend, entry, blank, max, children }: EntriesFieldProps) {
  const { values, set } = useContext(FormContext);
  const count = Number(values[`${name}.count`]);
  const valueAt = (index: number, member: string) => values[`${name}.${index}.${member}`] ?? '';
  const copy = (from: number, to: number) => {
    for (const member of Object.keys(blank)) set(`${name}.${to}.${member}`, valueAt(from, member));
  };
  const setCount = (next: number) => set(`${name}.count`, String(next));
  const add = () => {
    for (const [member, value] of Object.entries(blank)) set(`${name}.${count}.${member}`, value);
    setCount(count + 1);
  };
  const moveUp = (index: number) => {
    copy(index, index - 1);
    copy(index - 1, index);
  };
  const remove = (index: number) => {
    for (let next = index + 1; next < count; next += 1) copy(next, next - 1);
    setCount(count - 1);
  };
  return (
    <fieldset class="form">
      <legend>{legend}</legend>
      {Array.from({ length: count }, (_, index) => (
        <fieldset key={index} class="form card">
          <legend class="unseen">
            {entry} {index + 1}
          </legend>
          {children(`${name}.${index}`)}
          <div class="links">
            {index > 0 && (
              <Button size="small" aria-label={`Move up ${entry} ${index + 1}`} onClick={() => moveUp(index)}>
                Move up
              </Button>
            )}
            {count > 1 && (
              <Button
                size="small"
                kind="danger"
                aria-label={`Remove ${entry} ${index + 1}`}
                onClick={() => remove(index)}
              >
                Remove
              </Button>
            )}
          </div>
        </fieldset>
      ))}
      {count < max && (
        <div>
          <Button size="small" icon="plus" onClick={add}>
            Add a {entry}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
