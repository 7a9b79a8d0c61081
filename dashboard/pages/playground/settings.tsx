/** What goes with a prompt: a system text, parameters where the models have them, an image, and tools. */
import { useState } from 'preact/hooks';
import { Field, NumberField, SelectField, TextAreaField } from '../../components/forms/fields.tsx';
import type { Form } from '../../components/forms/form.tsx';
import { Icon } from '../../components/icon.tsx';
import type { PlaygroundModel } from './conversation.ts';

interface SettingsProps {
  readonly form: Form;
  /** Those that are open. */
  readonly models: readonly PlaygroundModel[];
}

export function SettingsFields({ form, models }: SettingsProps) {
  const efforts = [...new Set(models.flatMap((model) => model.efforts))];
  return (
    <details class="playground-more">
      <summary>System text, parameters, image, tools</summary>
      <div class="form">
        <TextAreaField name="system" label="System text" rows={2} />
        <div class="playground-settings">
          <NumberField name="temperature" label="Temperature" />
          {efforts.length > 0 && (
            <SelectField
              name="reasoning_effort"
              label="Reasoning effort"
              options={[{ value: '', label: 'default' }, ...efforts.map((value) => ({ value }))]}
            />
          )}
          {models.some((model) => model.takesImages) && <ImageField form={form} />}
        </div>
        <TextAreaField
          name="tools"
          label="Tools"
          hint="A list in JSON, as the field tools of the API. When a model calls tools, the next prompt is sent as what they returned."
          rows={3}
        />
      </div>
    </details>
  );
}

/** In bytes. A request of a gateway in Lambda has at most 6 MB, and base64 makes a third more of it. */
const maxImage = 4_000_000;

function ImageField({ form }: Pick<SettingsProps, 'form'>) {
  const [problem, setProblem] = useState('');
  const read = (file: File | undefined) => {
    setProblem('');
    form.set('image', '');
    if (!file) return;
    if (file.size > maxImage) return setProblem('At most 4 MB.');
    const reader = new FileReader();
    reader.onload = () => form.set('image', String(reader.result));
    reader.onerror = () => setProblem('It could not be read.');
    reader.readAsDataURL(file);
  };
  const image = form.values.image;
  return (
    <Field name="image" label="Image">
      {(_, described) => (
        <>
          {image ? (
            <span class="chip">
              <img src={String(image)} alt="To be sent" height={20} />
              <button type="button" aria-label="Remove the image" onClick={() => read(undefined)}>
                <Icon name="close" />
              </button>
            </span>
          ) : (
            <input
              {...described}
              class="input"
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif"
              onChange={({ currentTarget }) => read(currentTarget.files?.[0])}
            />
          )}
          {problem && <p class="hint is-bad">{problem}</p>}
        </>
      )}
    </Field>
  );
}
