/** One model of the playground, and the conversation with it. */

import { Code, CopyButton } from '../../components/code.tsx';
import { IconButton } from '../../components/controls.tsx';
import { Combobox } from '../../components/forms/combobox.tsx';
import { Problem } from '../../components/states.tsx';
import { Badge } from '../../components/surfaces.tsx';
import { amount } from '../../format/money.ts';
import { exactCount } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import { addressOf } from '../../state/location.ts';
import type { Answered } from './answer.ts';
import type { Turn } from './conversation.ts';

interface AnswerColumnProps {
  readonly model: string;
  readonly models: readonly string[];
  readonly turns: readonly Turn[];
  readonly onModel: (model: string) => void;
  /** Absent for the only one. */
  readonly onRemove: (() => void) | undefined;
}

export function AnswerColumn({ model, models, turns, onModel, onRemove }: AnswerColumnProps) {
  const last = turns.at(-1)?.answers[model];
  return (
    <section class="answer card stack" aria-label={model} aria-busy={last?.state === 'streaming'}>
      <div class="answer-head row">
        <Combobox
          label={`Model, now ${model}`}
          placeholder={model}
          options={models.filter((one) => one !== model).map((value) => ({ value }))}
          onTake={onModel}
        />
        {onRemove && <IconButton icon="close" label={`Remove ${model}`} onClick={onRemove} />}
      </div>
      {turns.length === 0 && <p class="quiet">The answer appears here.</p>}
      {turns.map((turn, place) => (
        <Exchange key={place} turn={turn} answered={turn.answers[model]} />
      ))}
    </section>
  );
}

/** A turn without an answer was one with other models. */
function Exchange({ turn, answered }: { readonly turn: Turn; readonly answered: Answered | undefined }) {
  const { prompt, image, tenant } = turn;
  return (
    <div class="exchange">
      <div class="answer-text asked">
        {image !== '' && <img src={image} alt="Sent with it" />}
        {prompt}
      </div>
      {answered && <Took {...answered} />}
      {answered ? <Said answered={answered} tenant={tenant} /> : <p class="quiet">It was not asked.</p>}
    </div>
  );
}

function Said({ answered, tenant }: { readonly answered: Answered; readonly tenant: string }) {
  const { state, text, reasoning, toolCalls, problem, requestId } = answered;
  return (
    <div class="answer-body">
      {reasoning !== '' && (
        <details class="quiet">
          <summary>Reasoning</summary>
          <div class="answer-text">{reasoning}</div>
        </details>
      )}
      {text !== '' && <div class="answer-text">{text}</div>}
      {toolCalls.map(({ id, name, arguments: given }) => (
        <Code key={id} text={`${name}(${given})`} label={`Call of ${name}`} />
      ))}
      {state === 'waiting' && <p class="quiet">Waiting for the first token…</p>}
      {state === 'stopped' && <Badge tone="warn">stopped</Badge>}
      {problem && <Problem text={problem} />}
      <div class="answer-foot row">
        {state === 'done' && text !== '' && <CopyButton text={text} label="Copy the answer" />}
        {/* In a tab of its own: the conversation is kept in this one only. */}
        {requestId && (
          <a href={addressOf('requests', { id: requestId, of: tenant })} target="_blank" rel="noopener">
            Its request
          </a>
        )}
      </div>
    </div>
  );
}

const Took = ({ firstTokenMs, totalMs, promptTokens, completionTokens, cost }: Answered) => (
  <dl class="took">
    <Fact term="First token" value={firstTokenMs === undefined ? undefined : duration(firstTokenMs)} />
    <Fact term="Duration" value={totalMs === undefined ? undefined : duration(totalMs)} />
    <Fact
      term="Tokens"
      value={
        promptTokens === undefined
          ? undefined
          : `${exactCount(promptTokens)} → ${exactCount(completionTokens ?? 0)}`
      }
    />
    <Fact
      term="Cost"
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
