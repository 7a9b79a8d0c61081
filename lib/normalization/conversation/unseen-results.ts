/**
 * Images and documents in results of tools, for a model that has no such modality: a text stands in their place. An agent reads
 * files without knowing what its model sees, and sends each result again with every later request: a refusal would end its work.
 */
import type { Target } from '../../core/catalog/model.ts';
import { modalityOf } from '../../core/generation/content.ts';
import { pathOf, source, wholeSource } from '../../core/generation/original/source.ts';
import type { ContentPart, GenerationRequest, Message } from '../../core/generation/request.ts';
import { type Change, type Normalized, overridden } from '../rule.ts';

const notes: Readonly<Record<string, string>> = {
  image: '[An image stood here. This model cannot see images.]',
  pdf: '[A PDF document stood here. This model cannot read PDF documents.]',
};

/** The same request where the model sees all that its results hold. */
export function withoutUnseenResults(request: GenerationRequest, { model }: Target): Normalized {
  const changes: Change[] = [];
  const shown = (part: ContentPart): ContentPart => {
    const modality = modalityOf(part);
    const text = modality === undefined ? undefined : notes[modality];
    if (modality === undefined || text === undefined || model.modalities.input.includes(modality))
      return part;
    const param = pathOf(part);
    const reason = `The model does not accept ${modality} input: a text stands in its place.`;
    changes.push(overridden(param, { type: part.type }, { type: 'text' }, reason));
    const { cacheControl } = part;
    return { type: 'text', text, ...(cacheControl && { cacheControl }), [source]: wholeSource(param) };
  };
  const messages = request.messages.map(
    (message): Message =>
      message.role === 'tool' ? { ...message, content: message.content.map(shown) } : message,
  );
  return changes.length > 0 ? { request: { ...request, messages }, changes } : { request, changes };
}
