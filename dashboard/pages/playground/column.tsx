/** One model of the playground, and its answer. */

import { CopyButton } from '../../components/code.tsx';
import { IconButton } from '../../components/controls.tsx';
import { Combobox } from '../../components/forms/combobox.tsx';
import { Problem } from '../../components/states.tsx';
import { Badge } from '../../components/surfaces.tsx';
import { amount } from '../../format/money.ts';
import { exactCount } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import type { Answered } from './answer.ts';

interface AnswerColumnProps {
  readonly model: string;
  readonly models: readonly string[];
  readonly answered: Answered | undefined;
  readonly onModel: (model: string) => void;
  /** Absent for the only one. */
  readonly onRemove: (() => void) | undefined;
}

export function AnswerColumn({ model, models, answered, onModel, onRemove }: AnswerColumnProps) {
  return (
    <section class="answer card" aria-label={model} aria-busy={answered?.state === 'streaming'}>
      <div class="answer-head">
        <Combobox
          label={`Model, now ${model}`}
          placeholder={model}
          options={models.filter((one) => one !== model).map((value) => ({ value }))}
          onTake={onModel}
        />
        {onRemove && <IconButton icon="close" label={`Remove ${model}`} onClick={onRemove} />}
      </div>
      {answered && <Took {...answered} />}
      <Said answered={answered} />
    </section>
  );
}

function Said({ answered }: { readonly answered: Answered | undefined }) {
  if (!answered) return <p class="quiet">The answer appears here.</p>;
  const { state, text, reasoning, problem } = answered;
  return (
    <div class="answer-body">
      {reasoning !== '' && (
        <details class="quiet">
          <summary>Reasoning</summary>
          <div class="answer-text">{reasoning}</div>
        </details>
      )}
      {text !== '' && <div class="answer-text">{text}</div>}
      {state === 'waiting' && <p class="quiet">Waiting for the first token…</p>}
      {state === 'stopped' && <Badge tone="warn">stopped</Badge>}
      {problem && <Problem text={problem} />}
      {state === 'done' && text !== '' && <CopyButton text={text} label="Copy the answer" />}
    </div>
  );
}

const Took = ({ firstTokenMs, totalMs, promptTokens, completionTokens, cost }: Answered) => (
  <dl class="took">
    <Fact term="First token" value={firstTokenMs === undefined ? undefined : duration(firstTokenMs)} />
    <Fact term="In all" value={totalMs === undefined ? undefined : duration(totalMs)} />
    <Fact
      term="Tokens"
      value={
        promptTokens === undefined
          ? undefined
          : `${exactCount(promptTokens)} → ${exactCount(completionTokens ?? 0)}`
      }
    />
    <Fact
      term="Price"
      value={cost === undefined ? undefined : amount(cost === null ? null : Math.round(cost * 1e9)).text}
    />
  </dl>
);

const Fact = ({ term, value }: { readonly term: string; readonly value: string | undefined }) => (
  <div>
    <dt>{term}</dt>
    <dd>{value ?? '–'}</dd>
  </div>
);
