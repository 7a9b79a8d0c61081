/** A model of each way that the Messages operation is served: as Anthropic has it, and over the protocols of three others. */
interface MessageModels {
  readonly family: string;
  readonly model: string;
  /** One that reasons. */
  readonly reasoning: string;
  readonly takesImages: boolean;
}

export const messageModels: readonly MessageModels[] = [
  {
    family: 'Claude',
    model: 'anthropic/claude-haiku-4-5',
    reasoning: 'anthropic/claude-opus-5',
    takesImages: true,
  },
  { family: 'GPT', model: 'openai/gpt-4.1', reasoning: 'openai/gpt-5.5', takesImages: true },
  {
    family: 'Gemini',
    model: 'google/gemini-2.5-flash',
    reasoning: 'google/gemini-3.5-flash',
    takesImages: true,
  },
  {
    family: 'DeepSeek',
    model: 'deepseek/deepseek-v4-flash',
    reasoning: 'deepseek/deepseek-v4-flash',
    takesImages: false,
  },
];
