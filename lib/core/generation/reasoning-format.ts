/** The formats of reasoning that can be sent back to their provider family, as named in `reasoning_details`. */

/** Reasoning signed by Claude. It may be sent back in any protocol that serves Claude. */
export const claudeFormat = 'anthropic-claude-v1';

/** Thought signatures of Gemini. */
export const geminiFormat = 'google-gemini-v1';

/** A step of Gemini with a tool that Google runs, such as its search: the whole part, as JSON text. */
export const geminiStepFormat = 'google-gemini-step-v1';

/** Reasoning items of OpenAI's Responses API: only OpenAI can read them. */
export const openaiFormat = 'openai-responses-v1';
