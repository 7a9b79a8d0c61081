/** The real clients that `npm run interop` installs and drives. Each has a driver in `drivers/`, of its name or as it says. */

export interface Client {
  readonly name: string;
  /** As its users know it. */
  readonly title: string;
  readonly from: 'npm' | 'pip';
  /** The first one is the client, whose version is reported. */
  readonly packages: readonly string[];
  /** Whose driver it has, if not its own. */
  readonly driver?: string;
}

export const clients: readonly Client[] = [
  { name: 'openai-js', title: 'openai (TypeScript)', from: 'npm', packages: ['openai', 'zod'] },
  { name: 'openai-python', title: 'openai (Python)', from: 'pip', packages: ['openai'] },
  {
    name: 'ai-sdk-openai',
    title: 'Vercel AI SDK, `@ai-sdk/openai`',
    from: 'npm',
    packages: ['ai', '@ai-sdk/openai', 'zod'],
  },
  {
    name: 'ai-sdk-compatible',
    title: 'Vercel AI SDK, `@ai-sdk/openai-compatible`',
    from: 'npm',
    packages: ['ai', '@ai-sdk/openai-compatible', 'zod'],
  },
  {
    name: 'langchain-js',
    title: 'LangChain (TypeScript)',
    from: 'npm',
    packages: ['@langchain/openai', '@langchain/core', 'langchain', 'zod'],
  },
  {
    name: 'langchain-python',
    title: 'LangChain (Python)',
    from: 'pip',
    packages: ['langchain-openai', 'langchain'],
  },
  {
    name: 'pydantic-ai',
    title: 'Pydantic AI',
    from: 'pip',
    packages: ['pydantic-ai-slim[openai,anthropic]'],
  },
  {
    name: 'openai-agents-js',
    title: 'OpenAI Agents SDK (TypeScript)',
    from: 'npm',
    packages: ['@openai/agents', 'openai', 'zod'],
  },
  {
    name: 'openai-agents-python',
    title: 'OpenAI Agents SDK (Python)',
    from: 'pip',
    packages: ['openai-agents'],
  },
  // Its tools need the second one, which it does not install.
  { name: 'litellm', title: 'LiteLLM', from: 'pip', packages: ['litellm', 'mcp'] },
  {
    name: 'llama-index',
    title: 'LlamaIndex',
    from: 'pip',
    packages: ['llama-index-llms-openai', 'llama-index-core', 'llama-index-llms-openai-like'],
  },
  // Its tools and its embedder need the other two, which it does not install.
  { name: 'dspy', title: 'DSPy', from: 'pip', packages: ['dspy', 'mcp', 'numpy'] },
  { name: 'instructor', title: 'Instructor', from: 'pip', packages: ['instructor'] },
  {
    name: 'google-adk',
    title: 'Google ADK, `LiteLlm`',
    from: 'pip',
    packages: ['google-adk', 'litellm', 'mcp'],
  },
  { name: 'smolagents', title: 'smolagents', from: 'pip', packages: ['smolagents[openai]'] },
  // Its tool needs the second one, which it does not install.
  { name: 'mini-swe-agent', title: 'mini-swe-agent', from: 'pip', packages: ['mini-swe-agent', 'mcp'] },
  { name: 'llm', title: '`llm`', from: 'pip', packages: ['llm'] },
  { name: 'aider', title: 'aider', from: 'pip', packages: ['aider-chat'] },
  { name: 'codex', title: 'Codex CLI', from: 'npm', packages: ['@openai/codex'] },
  { name: 'opencode', title: 'opencode', from: 'npm', packages: ['opencode-ai'] },
  { name: 'claude-code', title: 'Claude Code', from: 'npm', packages: ['@anthropic-ai/claude-code'] },
  {
    name: 'anthropic-js',
    title: 'anthropic (TypeScript)',
    from: 'npm',
    packages: ['@anthropic-ai/sdk', 'json-schema-to-ts'],
  },
  { name: 'anthropic-python', title: 'anthropic (Python)', from: 'pip', packages: ['anthropic'] },
  {
    name: 'anthropic-python-1',
    title: 'anthropic (Python), before its version 2',
    from: 'pip',
    packages: ['anthropic<2'],
    driver: 'anthropic-python',
  },
  {
    name: 'langchain-anthropic',
    title: 'LangChain (Python), `ChatAnthropic`',
    from: 'pip',
    packages: ['langchain-anthropic'],
  },
];
