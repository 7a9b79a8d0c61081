/** The Gemini generateContent protocol. */
import { type Protocol, system, writeTurns } from './protocol.ts';

const upstreamId = 'gemini-2.5-flash';

function answer(text: string, output: number, finish?: string): object {
  return {
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        ...(finish !== undefined && { finishReason: finish }),
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 40,
      candidatesTokenCount: output,
      totalTokenCount: 40 + output,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 40 }],
    },
    modelVersion: upstreamId,
    responseId: 'benchmark',
  };
}

/** Events end with a carriage return, as the provider writes them. */
const writeEvent = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`;

const lastEvent = (count: number) => writeEvent(answer('', count, 'STOP'));

export const googleProtocol: Protocol = {
  name: 'google',
  model: `google/${upstreamId}`,
  base: '/google/v1beta',
  path: (stream) => `/models/${upstreamId}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  ask: (work) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: writeTurns(work).map(({ role, text }) => ({
      role: role === 'user' ? role : 'model',
      parts: [{ text }],
    })),
    generationConfig: { temperature: 0.5, maxOutputTokens: 4096 },
  }),
  body: (pieces) => answer(pieces.join(''), pieces.length, 'STOP'),
  stream: (pieces) => ({
    before: '',
    pieces: pieces.map((text, index) => writeEvent(answer(text, index + 1))),
    after: lastEvent(pieces.length),
  }),
  end: '"responseId":"benchmark"}\r\n\r\n',
};
