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
  /** What its driver tries beside chat, stream, tools and structured output. */
  readonly extras: string;
}

export const clients: readonly Client[] = [
  {
    name: 'openai-js',
    title: 'openai (TypeScript)',
    from: 'npm',
    packages: ['openai', 'zod'],
    extras: 'Responses with `previous_response_id`, models, embeddings, images',
  },
  {
    name: 'openai-python',
    title: 'openai (Python)',
    from: 'pip',
    packages: ['openai'],
    extras: 'async, raw responses, `previous_response_id`, models, embeddings, images',
  },
  {
    name: 'ai-sdk-openai',
    title: 'Vercel AI SDK, `@ai-sdk/openai`',
    from: 'npm',
    packages: ['ai', '@ai-sdk/openai', 'zod'],
    extras: 'an agent, embeddings',
  },
  {
    name: 'ai-sdk-compatible',
    title: 'Vercel AI SDK, `@ai-sdk/openai-compatible`',
    from: 'npm',
    packages: ['ai', '@ai-sdk/openai-compatible', 'zod'],
    extras: 'reasoning, embeddings, images',
  },
  {
    name: 'langchain-js',
    title: 'LangChain (TypeScript)',
    from: 'npm',
    packages: ['@langchain/openai', '@langchain/core', 'langchain', 'zod'],
    extras: 'an agent, embeddings',
  },
  {
    name: 'langchain-python',
    title: 'LangChain (Python)',
    from: 'pip',
    packages: ['langchain-openai', 'langchain'],
    extras: 'an agent, Responses, embeddings with `check_embedding_ctx_length=False`',
  },
  {
    name: 'pydantic-ai',
    title: 'Pydantic AI',
    from: 'pip',
    packages: ['pydantic-ai-slim[openai,anthropic]'],
    extras: 'Responses, Messages, native and prompted output',
  },
  {
    name: 'openai-agents-js',
    title: 'OpenAI Agents SDK (TypeScript)',
    from: 'npm',
    packages: ['@openai/agents', 'openai', 'zod'],
    extras: 'the same over chat completions, a handoff',
  },
  {
    name: 'openai-agents-python',
    title: 'OpenAI Agents SDK (Python)',
    from: 'pip',
    packages: ['openai-agents'],
    extras: 'the same over chat completions, a handoff',
  },
  {
    name: 'litellm',
    title: 'LiteLLM',
    from: 'pip',
    // Its tools need the second one, which it does not install.
    packages: ['litellm', 'mcp'],
    extras: 'Responses, Messages, embeddings, a stream put together again',
  },
  {
    name: 'llama-index',
    title: 'LlamaIndex',
    from: 'pip',
    packages: ['llama-index-llms-openai', 'llama-index-core', 'llama-index-llms-openai-like'],
    extras: 'Responses',
  },
  {
    name: 'dspy',
    title: 'DSPy',
    from: 'pip',
    // Its tools and its embedder need the other two, which it does not install.
    packages: ['dspy', 'mcp', 'numpy'],
    extras: '`JSONAdapter`, `Embedder`',
  },
  {
    name: 'instructor',
    title: 'Instructor',
    from: 'pip',
    packages: ['instructor'],
    extras: '`JSON`, `JSON_SCHEMA`, `PARALLEL_TOOLS`, `RESPONSES_TOOLS`',
  },
  {
    name: 'google-adk',
    title: 'Google ADK, `LiteLlm`',
    from: 'pip',
    packages: ['google-adk', 'litellm', 'mcp'],
    extras: 'a sub-agent',
  },
  {
    name: 'smolagents',
    title: 'smolagents',
    from: 'pip',
    packages: ['smolagents[openai]'],
    extras: 'a `CodeAgent`',
  },
  {
    name: 'mini-swe-agent',
    title: 'mini-swe-agent',
    from: 'pip',
    // Its tool needs the second one, which it does not install.
    packages: ['mini-swe-agent', 'mcp'],
    extras: '',
  },
  {
    name: 'llm',
    title: '`llm`',
    from: 'pip',
    packages: ['llm'],
    extras: 'a conversation continued with `-c`, an attachment',
  },
  {
    name: 'aider',
    title: 'aider',
    from: 'pip',
    packages: ['aider-chat'],
    extras: 'Messages',
  },
  {
    name: 'codex',
    title: 'Codex CLI',
    from: 'npm',
    packages: ['@openai/codex'],
    extras: 'an edit with `apply_patch` (OpenAI), an edit with a command',
  },
  {
    name: 'opencode',
    title: 'opencode',
    from: 'npm',
    packages: ['opencode-ai'],
    extras: 'an edit with a command, its providers for OpenAI (Responses) and Anthropic (Messages)',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    from: 'npm',
    packages: ['@anthropic-ai/claude-code'],
    extras: 'two calls at once, a conversation that the other models continue, `/context`, `/compact`',
  },
  {
    name: 'anthropic-js',
    title: 'anthropic (TypeScript)',
    from: 'npm',
    packages: ['@anthropic-ai/sdk', 'json-schema-to-ts'],
    extras: '`toolRunner`, thinking with tools, tokens counted, models',
  },
  {
    name: 'anthropic-python',
    title: 'anthropic (Python)',
    from: 'pip',
    packages: ['anthropic'],
    extras:
      '`tool_runner`, thinking with tools, async, raw responses, tokens counted, models, images, errors',
  },
  {
    name: 'anthropic-python-1',
    title: 'anthropic (Python), before its version 2',
    from: 'pip',
    packages: ['anthropic<2'],
    driver: 'anthropic-python',
    extras: 'the same',
  },
  {
    name: 'langchain-anthropic',
    title: 'LangChain (Python), `ChatAnthropic`',
    from: 'pip',
    packages: ['langchain-anthropic'],
    extras: 'thinking with tools, `json_schema`',
  },
];
