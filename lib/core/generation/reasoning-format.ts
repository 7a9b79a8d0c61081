/**
 * The families of reasoning that can go back to where they came from, as they are named in `reasoning_details`.
 */

/** Reasoning that Claude signed, on whichever wire: it may go back over any of them. */
export const claudeFormat = 'anthropic-claude-v1';

/** Thought signatures of Gemini. */
export const geminiFormat = 'google-gemini-v1';

/** Items of OpenAI's Responses wire: only OpenAI can read what they hold. */
export const openaiFormat = 'openai-responses-v1';
