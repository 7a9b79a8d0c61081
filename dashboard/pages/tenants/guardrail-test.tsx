/** Tries the terms of a guardrail, as they stand in its editor, on a text. The text is sent once, and nothing keeps it. */
import { useContext, useState } from 'preact/hooks';
import type { GuardrailsTestAnswer } from '../../../lib/admin/guardrails/schema.ts';
import { asError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../components/controls.tsx';
import { CheckField, SelectField, TextAreaField } from '../../components/forms/fields.tsx';
import { FormContext } from '../../components/forms/form.tsx';
import { Problem } from '../../components/states.tsx';
import { checked } from '../form-values.ts';
import { readObject } from '../json-text.ts';
import { Verdict } from '../requests/guards.tsx';

/** The values of its fields, in the form of the editor. */
export const untested = { text: '', on: 'input', remote: '' };

interface Tested {
  readonly text: string;
  readonly rules?: GuardrailsTestAnswer['rules'];
  readonly problem?: string;
}

/** `path`: of the guardrails of the tenant. */
export function TestText({ path }: { readonly path: string }) {
  const { values } = useContext(FormContext);
  const [tested, setTested] = useState<Tested>();
  const [isBusy, setBusy] = useState(false);
  const text = String(values.text);
  const test = async () => {
    const draft = readObject(String(values.rules), 'rules');
    const body = { text, on: values.on, remote: values.remote === checked, draft };
    const id = encodeURIComponent(String(values.guardrail || 'new'));
    const { rules } = await call<GuardrailsTestAnswer>('POST', `${path}/${id}/test`, { body });
    setTested({ text, rules });
  };
  const start = () => {
    setBusy(true);
    test()
      .catch((thrown) => setTested({ text, problem: asError(thrown).message }))
      .finally(() => setBusy(false));
  };
  return (
    <fieldset class="form">
      <legend>Test</legend>
      <TextAreaField
        name="text"
        label="Text"
        rows={3}
        hint="It is looked at by the terms above, and not kept."
      />
      <SelectField
        name="on"
        label="As"
        required
        options={[
          { value: 'input', label: 'Input of a request' },
          { value: 'output', label: 'Answer of a model' },
        ]}
      />
      <CheckField name="remote" label="Ask detectors elsewhere, at your cost" value={checked} />
      <Button onClick={start} isBusy={isBusy} disabled={text === ''}>
        Test
      </Button>
      <div aria-live="polite">{tested && <Results tested={tested} />}</div>
    </fieldset>
  );
}

const Results = ({ tested: { text, rules = [], problem } }: { readonly tested: Tested }) => {
  if (problem !== undefined) return <Problem text={problem} />;
  if (rules.length === 0) return <p class="quiet">No rule looks at it.</p>;
  return (
    <ul class="attempts">
      {rules.map((one) => (
        <li key={one.rule}>
          {one.rule} <Verdict action={one.action} /> <span class="quiet">{found(one, text)}</span>
        </li>
      ))}
    </ul>
  );
};

const maxShown = 5;
const maxExcerpt = 40;

function found(
  { matches, match_count: count, failure }: GuardrailsTestAnswer['rules'][number],
  text: string,
) {
  const shown = matches
    .slice(0, maxShown)
    .map(({ label, start, end }) =>
      start === null || end === null ? label : `${label} “${excerpt(text.slice(start, end))}” at ${start}`,
    );
  const more = count > maxShown ? [`and ${count - maxShown} more`] : [];
  return failure ?? [...shown, ...more].join(', ');
}

const excerpt = (match: string): string =>
  match.length > maxExcerpt ? `${match.slice(0, maxExcerpt)}…` : match;
