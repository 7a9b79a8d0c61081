/** One model: ids to copy, what it can do, every amount of its price, and its deployments. */
import type { DeploymentAnswer, ModelAnswer, PriceAnswer } from '../../../lib/admin/models/schema.ts';
import { Identifier } from '../../components/code.tsx';
import { Link } from '../../components/link.tsx';
import { Definitions, Section } from '../../components/surfaces.tsx';
import { Panel } from '../../components/windows.tsx';
import { exactCount } from '../../format/numbers.ts';
import { fullDay } from '../../format/times.ts';
import { Failures, Health } from '../health.tsx';

interface ModelPanelProps {
  readonly model: ModelAnswer;
  readonly isOperator: boolean;
  readonly onClose: () => void;
}

export function ModelPanel({ model, isOperator, onClose }: ModelPanelProps) {
  const { id, name, status, replacement, aliases, capabilities, context, created_at } = model;
  const { reasoning, structured_output: structured, dimensions } = capabilities;
  return (
    <Panel title={name} onClose={onClose}>
      <Definitions
        items={[
          ['Id', <Identifier key="id" text={id} />],
          ['Status', replacement === null ? status : `${status}: use ${replacement}`],
          ['Released', fullDay(created_at)],
          ['Other names', aliases.length > 0 ? aliases.join(', ') : undefined],
          ['Operations', capabilities.operations.join(', ').replaceAll('_', ' ')],
          ['Takes', capabilities.input.join(', ')],
          ['Gives', capabilities.output.join(', ')],
          ['Context', tokens(context.window)],
          ['Longest input', context.input === null ? undefined : tokens(context.input)],
          ['Longest output', tokens(context.output)],
          [
            'Reasoning',
            reasoning ? `${reasoning.efforts.join(', ')} (default ${reasoning.default_effort})` : 'no',
          ],
          ['Structured output', structured === null ? 'by instructions only' : structuredWords[structured]],
          ['Web search', capabilities.web_search ? 'yes' : 'no'],
          ['Vectors', dimensions === null ? undefined : `${exactCount(dimensions)} numbers`],
        ]}
      />
      <p class="links">
        <Link to="requests" with={{ model: id }}>
          Its requests
        </Link>
        <Link to="overview" with={{ model: id }}>
          Its usage
        </Link>
        {isOperator && (
          <Link to="catalog" with={{ id }}>
            Change it
          </Link>
        )}
      </p>
      <Section title="Price">
        {model.price ? <Price price={model.price} isOperator={isOperator} /> : <p>Its price is unknown.</p>}
      </Section>
      <Section title="Deployments">
        {model.places.map((deployment) => (
          <Deployment key={`${deployment.provider} ${deployment.region}`} deployment={deployment} />
        ))}
      </Section>
    </Panel>
  );
}

const structuredWords = { schema: 'by a schema', object: 'any JSON' } as const;

const tokens = (number: number | null) => (number === null ? 'unknown' : `${exactCount(number)} tokens`);

const Price = ({ price, isOperator }: { readonly price: PriceAnswer; readonly isOperator: boolean }) => (
  <table class="amounts">
    <caption class="quiet">{isOperator ? 'What the provider takes' : 'What you are charged'}</caption>
    <tbody>
      {price.lines.map(({ what, usd, per, applies_to: when }) => (
        <tr key={`${what} ${when}`}>
          <th scope="row">
            {wordsOf(what)}
            {when !== '' && <span class="quiet"> {when}</span>}
          </th>
          <td class="number">{/^\d/.test(usd) && !usd.endsWith('%') ? `$${usd}` : usd}</td>
          <td class="quiet">per {per}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Of `cachedInput`, "cached input". */
const wordsOf = (name: string) =>
  name === 'cacheWriteHour'
    ? 'cache write, kept longer'
    : name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

const Deployment = ({ deployment }: { readonly deployment: DeploymentAnswer }) => (
  <div class="deployment">
    <p>
      <strong>{deployment.provider}</strong> {deployment.region} <Health health={deployment.health} />
    </p>
    <Failures health={deployment.health} />
    <p class="quiet">
      {deployment.ways.map(({ upstream_id: id, price, price_known: isKnown }, index) => (
        <span key={id ?? index} class="route">
          {id && <code>{id}</code>}
          {price && ` $${price.input} / $${price.output}`}
          {!isKnown && ' price unknown'}
        </span>
      ))}
    </p>
  </div>
);
