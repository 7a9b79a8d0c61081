/** Image input. */
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { pixel, rowsThat } from '../../harness/matrix/providers.ts';

const client = useSdk();

const ask = (model: string, url: string) =>
  client().chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is in this picture?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  });

test.each(rowsThat(({ images }) => images !== undefined))(
  '$provider accepts an image as data',
  async ({ model }) => {
    const completion = await ask(model, pixel);
    expect(completion.choices[0]?.message.content).toMatch(/1 image/);
  },
);

test.each(rowsThat(({ images }) => images === 'by-url'))(
  '$provider gets the URL of an image unchanged',
  async ({ model }) => {
    const completion = await ask(model, 'https://example.com/zebra.png');
    expect(completion.choices[0]?.message.content).toMatch(/1 image/);
  },
);
