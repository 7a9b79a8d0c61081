/**
 * The name of a model for people. The catalog has none, so it is the id without its owner, with spaces and capitals: of
 * `claude-opus-4-5`, "Claude Opus 4.5".
 */

/** Words whose spelling is not a capital and small letters. */
const spellings: Readonly<Record<string, string>> = {
  deepseek: 'DeepSeek',
  glm: 'GLM',
  gpt: 'GPT',
  minimax: 'MiniMax',
  oss: 'OSS',
};

export function displayName(id: string): string {
  const words: string[] = [];
  let wasNumber = false;
  for (const [position, word] of id
    .slice(id.indexOf('/') + 1)
    .split(/[-_]/)
    .entries()) {
    // Two short numbers are a version; a longer one is a date or a size.
    const isNumber = position > 0 && /^\d{1,2}$/.test(word);
    if (isNumber && wasNumber) words.push(`${words.pop()}.${word}`);
    else if (word !== '') words.push(spellings[word] ?? word.charAt(0).toUpperCase() + word.slice(1));
    wasNumber = isNumber;
  }
  return words.join(' ');
}
