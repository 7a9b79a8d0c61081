/** Examples of embeddings, images, reranking and models. */
import type { Example } from './example.ts';

const claudeHaiku = {
  id: 'anthropic/claude-haiku-4-5',
  object: 'model',
  created: 1_760_486_400,
  owned_by: 'anthropic',
  status: 'active',
  modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
  endpoints: ['chat_completions', 'messages', 'responses'],
  aliases: ['claude-haiku-4-5-20251001'],
  type: 'model',
  display_name: 'Claude Haiku 4.5',
  created_at: '2025-10-15T00:00:00Z',
  lifecycle: 'active',
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  capabilities: {
    image_input: { supported: true },
    pdf_input: { supported: true },
    structured_outputs: { supported: true },
    thinking: {
      supported: true,
      types: {
        adaptive: { supported: false },
        between_tools: { supported: false },
        disabled: { supported: true },
        enabled: { supported: true },
      },
    },
  },
};

/** `imageTokens`: of the images that are edited. */
const imageAnswer = (imageTokens: number) => ({
  created: 1_774_000_000,
  background: 'opaque',
  output_format: 'webp',
  quality: 'low',
  size: '1024x1024',
  usage: {
    input_tokens: 11 + imageTokens,
    input_tokens_details: { text_tokens: 11, image_tokens: imageTokens, cached_tokens: 0 },
    output_tokens: 272,
    output_tokens_details: { image_tokens: 272, text_tokens: 0 },
    total_tokens: 283 + imageTokens,
  },
  data: [{ b64_json: 'UklGRiQAAABXRUJQ' }],
});

export const modelExamples = {
  embeddings: {
    request: {
      model: 'openai/text-embedding-3-small',
      input: ['A text to find.', 'Another one.'],
      dimensions: 256,
    },
    answer: {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.0123, -0.0456] },
        { object: 'embedding', index: 1, embedding: [0.0789, 0.0012] },
      ],
      model: 'openai/text-embedding-3-small',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    },
  },
  'images-generations': {
    request: {
      model: 'openai/gpt-image-1-mini',
      prompt: 'A lighthouse at night',
      size: '1024x1024',
      output_format: 'webp',
    },
    answer: imageAnswer(0),
  },
  'images-edits': {
    request: {
      model: 'openai/gpt-image-1-mini',
      prompt: 'By day, with a calm sea',
      images: [{ image_url: 'https://example.com/lighthouse.webp' }],
      output_format: 'webp',
    },
    answer: imageAnswer(323),
  },
  moderations: {
    request: { model: 'omni-moderation-latest', input: 'A text with violence.' },
    answer: {
      id: 'modr-0123456789abcdef',
      model: 'openai/omni-moderation-2024-09-26',
      results: [
        {
          flagged: true,
          categories: { violence: true, hate: false },
          category_scores: { violence: 0.97, hate: 0.00002 },
          category_applied_input_types: { violence: ['text'], hate: ['text'] },
        },
      ],
    },
  },
  'realtime-client-secrets': {
    request: {
      expires_after: { anchor: 'created_at', seconds: 300 },
      session: { type: 'realtime', model: 'openai/gpt-realtime-2.1', instructions: 'Speak slowly.' },
    },
    answer: {
      value: 'ek_0123456789abcdef',
      expires_at: 1_774_000_300,
      session: {
        id: 'sess_0123456789abcdef',
        object: 'realtime.session',
        type: 'realtime',
        model: 'gpt-realtime-2.1',
        instructions: 'Speak slowly.',
      },
    },
  },
  'audio-speech': {
    request: { model: 'openai/gpt-4o-mini-tts', input: 'The lamp turns all night.', voice: 'alloy' },
  },
  'audio-transcriptions': {
    request: { model: 'openai/whisper-1', url: 'https://example.com/lighthouse.mp3' },
    answer: { text: 'The lamp turns all night.', usage: { type: 'duration', seconds: 2 } },
  },
  rerank: {
    request: {
      model: 'cohere/rerank-v4.0-fast',
      query: 'How do lighthouses work?',
      documents: ['A lamp and a lens make the beam of lighthouses.', 'Bread is baked in an oven.'],
      top_n: 1,
      return_documents: true,
    },
    answer: {
      id: 'req_01kq4vc1gpe3m8tq2v5f9y0a7b',
      object: 'list',
      model: 'cohere/rerank-v4.0-fast',
      results: [
        {
          index: 0,
          relevance_score: 0.87,
          document: { text: 'A lamp and a lens make the beam of lighthouses.' },
        },
      ],
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
      usage: { search_units: 1 },
    },
  },
  models: {
    request: { status: 'active' },
    answer: {
      object: 'list',
      data: [claudeHaiku],
      has_more: false,
      first_id: claudeHaiku.id,
      last_id: claudeHaiku.id,
    },
  },
  'models-retrieve': {
    request: { model: 'anthropic/claude-haiku-4-5' },
    answer: claudeHaiku,
  },
} satisfies Readonly<Record<string, Example>>;
