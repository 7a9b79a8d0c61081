/** What of a request its moderation looks at: what came after the model's last turn. */
import type { ModeratedPart, ModerationRequest } from '../../core/generation/moderation.ts';
import type { ContentPart, GenerationRequest } from '../../core/generation/request.ts';
import { lastAnswered, readTextFile } from '../guard/texts.ts';

/** Each image is a request of its own, which is all that OpenAI takes of them; no more are looked at. */
const maxImages = 10;

export function inputsOf({ messages }: GenerationRequest): readonly ModerationRequest[] {
  const parts = messages.slice(lastAnswered(messages) + 1).flatMap(({ content }) => content);
  const texts = parts.map(textOf).filter((text) => text !== undefined && text !== '');
  const images = parts.flatMap((part): readonly ModeratedPart[] =>
    part.type === 'image' ? [{ type: 'image_url', image_url: { url: part.url } }] : [],
  );
  return [
    ...(texts.length > 0 ? [{ input: [texts.join('\n')] }] : []),
    ...images.slice(0, maxImages).map((image) => ({ input: [image] })),
  ];
}

function textOf(part: ContentPart): string | undefined {
  if (part.type === 'text') return part.text;
  return part.type === 'file' ? readTextFile(part)?.text : undefined;
}
