/** The playground: one prompt to up to three models, side by side. Nothing of it is kept: neither the prompt nor the answers. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ModelsListAnswer } from '../../../lib/admin/models/schema.ts';
import type { TenantsListAnswer } from '../../../lib/admin/tenants/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/controls.tsx';
import { NumberField, SelectField, TextAreaField } from '../../components/forms/fields.tsx';
import { FormBox, useForm } from '../../components/forms/form.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { base, change, filters, query } from '../../state/location.ts';
import { type Answered, ask } from './answer.ts';
import { AnswerColumn } from './column.tsx';
import { modelsIn, mostModels } from './models-in.ts';
import { keyLife, useKey } from './use-key.ts';

export function Page({ session }: PageProps) {
  const isOperator = session.role === 'operator';
  const models = useRead<ModelsListAnswer>('/models', { limit: 1_000 });
  const tenants = useRead<TenantsListAnswer>(isOperator ? '/tenants' : null, { limit: 1_000 });
  const error = models.error ?? tenants.error;
  if (!models.data || (isOperator && !tenants.data))
    return error ? <ErrorState error={error} retry={models.reload} /> : <Skeleton lines={6} />;
  const usable = models.data.data.filter(({ capabilities, status, allowed }) => {
    return allowed && status !== 'retired' && capabilities.operations.includes('chat_completions');
  });
  return (
    <Playground
      session={session}
      models={usable.map(({ id }) => id)}
      tenants={tenants.data?.data.map(({ id }) => id) ?? []}
    />
  );
}

interface PlaygroundProps extends PageProps {
  /** Those that can chat. */
  readonly models: readonly string[];
  /** For an operator, who has none of its own. */
  readonly tenants: readonly string[];
}

function Playground({ session, models, tenants }: PlaygroundProps) {
  const chosen = modelsIn(query.value.get('models'), models);
  const [answers, setAnswers] = useState<Readonly<Record<string, Answered>>>({});
  const abort = useRef<AbortController | undefined>(undefined);
  const isDry = useRef(false);
  const keyFor = useKey();
  useEffect(() => () => abort.current?.abort(), []);
  const isOperator = session.role === 'operator';
  const tenant = filters.value.tenant ?? session.tenant ?? '';
  const form = useForm(
    { prompt: '', max_tokens: '1000', tenant },
    async ({ prompt, max_tokens, tenant: payer }) => {
      const dryRun = isDry.current;
      isDry.current = false;
      const key = await keyFor(payer, isOperator);
      abort.current = new AbortController();
      const { signal } = abort.current;
      const { playground_url: address } = session;
      const url = address.startsWith('/') ? base + address : address;
      setAnswers({});
      const one = (model: string) =>
        ask({ url, key, model, prompt, maxTokens: Number(max_tokens) || 1_000, dryRun, signal }, (answered) =>
          setAnswers((now) => ({ ...now, [model]: answered })),
        );
      await Promise.all(chosen.map(one));
    },
  );
  const choose = (next: readonly string[]) => change({ models: next.join(',') }, { replace: true });
  const further = models.find((model) => !chosen.includes(model));
  return (
    <>
      <FormBox form={form} class="card form">
        <TextAreaField name="prompt" label="Prompt" required rows={5} />
        <div class="playground-settings">
          {isOperator && (
            <SelectField
              name="tenant"
              label="Tenant"
              required
              options={[
                { value: '', label: 'Choose who is charged' },
                ...tenants.map((value) => ({ value })),
              ]}
            />
          )}
          <NumberField name="max_tokens" label="Longest answer, in tokens" required />
          <div class="playground-buttons">
            {further && chosen.length < mostModels && (
              <Button icon="plus" onClick={() => choose([...chosen, further])}>
                Model
              </Button>
            )}
            {!form.isBusy && (
              <Button
                disabled={chosen.length === 0 || form.values.prompt === ''}
                onClick={() => {
                  isDry.current = true;
                  form.submit();
                }}
              >
                Dry run
              </Button>
            )}
            {form.isBusy ? (
              <Button icon="stop" onClick={() => abort.current?.abort()}>
                Stop
              </Button>
            ) : (
              <Button kind="main" type="submit" icon="play" disabled={chosen.length === 0}>
                Send
              </Button>
            )}
          </div>
        </div>
        <p class="hint">
          It is sent with a key of the tenant that works for {keyLife / 60} minutes, and is charged as any
          request. Prompt and answers are not kept. A dry run sends nothing, and shows what would be sent.
        </p>
      </FormBox>
      <div class="answers">
        {chosen.map((model) => (
          <AnswerColumn
            key={model}
            model={model}
            models={models.filter((one) => one === model || !chosen.includes(one))}
            answered={answers[model]}
            onModel={(next) => choose(chosen.map((one) => (one === model ? next : one)))}
            onRemove={chosen.length > 1 ? () => choose(chosen.filter((one) => one !== model)) : undefined}
          />
        ))}
      </div>
    </>
  );
}
