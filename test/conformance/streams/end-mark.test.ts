/** An end mark alone is no answer: the target has failed, and another is asked. */
import { expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { answerPieces, useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  end,
  hello,
  type ProtocolScript,
  protocolScripts,
  start,
  text,
} from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();

const fallbackOf = ({ protocol }: ProtocolScript) =>
  protocolScripts.find((other) => other.protocol !== protocol) as ProtocolScript;

const heads = [
  { head: 'nothing', steps: [] },
  { head: 'only a start', steps: [start] },
] as const;

test.each(
  heads.flatMap(({ head, steps }) => protocolScripts.map((script) => ({ head, steps, script, ...script }))),
)('$protocol: an end after $head falls back', async ({ steps, script }) => {
  const fallback = fallbackOf(script);
  const broken = answerPieces(script.stream([...steps, end]), script.streamType);
  const well = answerPieces(fallback.stream(hello), fallback.streamType);
  protocols.upstream.script((request, response) =>
    (protocols.upstream.requests.length > 2 ? well : broken)(request, response),
  );
  const extra = { fallbacks: [fallback.model] };
  const response = await protocols.ask(script, { stream: true, extra });
  const seen = readChatStream(await response.text());
  expect(seen.choices.get(0)).toMatchObject({ content: 'Hello', finish: 'stop' });
  expect(protocols.upstream.requests).toHaveLength(3);
});

test.each(protocolScripts)('$protocol: an end without a reason, after text, is an error', async (script) => {
  const seen = await protocols.read(script, script.stream([start, text('Hel'), end]));
  expect(seen.error?.code).toBe('provider_stream_cut');
  expect(seen.choices.get(0)).toMatchObject({ content: 'Hel', finish: undefined });
});
