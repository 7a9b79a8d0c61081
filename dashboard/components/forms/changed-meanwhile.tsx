/** What others have changed since a form was opened. It must be taken over before the form can be sent: so no change of another person is lost. */
import { Button } from '../button.tsx';
import { Definitions } from '../definitions.tsx';
import type { Form, Value, Values } from './use-form.ts';

interface ChangedMeanwhileProps {
  readonly form: Form;
  /** The values when the form was opened, and those of now. */
  readonly opened: Values;
  readonly now: Values;
  readonly titleOf: (name: string) => string;
  readonly onTaken: () => void;
}

export function ChangedMeanwhile({ form, opened, now, titleOf, onTaken }: ChangedMeanwhileProps) {
  const names = Object.keys(now).filter((name) => textOf(now[name]) !== textOf(opened[name]));
  if (names.length === 0) return null;
  // What the person has typed stays.
  const take = () => {
    for (const name of names) {
      const value = now[name];
      if (value !== undefined && textOf(form.values[name]) === textOf(opened[name])) form.set(name, value);
    }
    onTaken();
  };
  return (
    <div class="card changed-meanwhile" role="alert">
      <p>Others have changed this since you opened it:</p>
      <Definitions
        items={names.map((name) => [
          titleOf(name),
          `${textOf(opened[name]) || 'none'} → ${textOf(now[name]) || 'none'}`,
        ])}
      />
      <Button onClick={take}>Go on with these values</Button>
    </div>
  );
}

const textOf = (value: Value | undefined): string =>
  typeof value === 'object' ? value.join(', ') : String(value ?? '');
