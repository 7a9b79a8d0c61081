/** The operations that a model can support, as the public model list names them. */
export const endpoints = [
  'chat_completions',
  'messages',
  'responses',
  'embeddings',
  'images_generations',
  'moderations',
  'rerank',
  'audio_speech',
  'audio_transcriptions',
  'realtime',
] as const;
export type ModelEndpoint = (typeof endpoints)[number];
