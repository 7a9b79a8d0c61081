/**
 * Messages and Responses beside chat: all ask one gateway for the same work of the same model, in turns. A model of Anthropic gets a
 * body of Messages as it came, and is answered with its own events; everything else is translated to and from.
 */
import { createClient, type Question } from '../client.ts';
import type { Gateway, OtherOperation } from '../contenders.ts';
import type { OperationCost } from '../measured.ts';
import { anthropicProtocol } from '../protocols/anthropic.ts';
import { openaiProtocol } from '../protocols/openai.ts';
import type { Protocol, Work } from '../protocols/protocol.ts';
import { runRound } from '../round.ts';
import { median } from '../statistics.ts';
import type { Effort } from './scenarios.ts';

const callers = 16;
const atOnce: Work = { messages: 3, pieces: 50, paceMs: 0 };

const forms: readonly { readonly form: OperationCost['form']; readonly work: Work }[] = [
  { form: 'body', work: atOnce },
  { form: 'stream', work: atOnce },
  { form: 'paced stream', work: { ...atOnce, paceMs: 10 } },
];

/** A stream of Responses from OpenAI passes as one of Messages from Anthropic does. */
const pairs: readonly { readonly operation: OtherOperation; readonly protocol: Protocol }[] = [
  { operation: 'messages', protocol: anthropicProtocol },
  { operation: 'messages', protocol: openaiProtocol },
  { operation: 'responses', protocol: anthropicProtocol },
];

export async function measureOperations(gateway: Gateway, effort: Effort): Promise<readonly OperationCost[]> {
  const client = createClient(gateway.url);
  const costOf = async (question: Question, ms: number): Promise<number> =>
    (await runRound(gateway, client, question, { callers, ms })).cpu;
  const measured: OperationCost[] = [];
  for (const { operation, protocol } of pairs) {
    for (const { form, work } of forms) {
      const chat = gateway.question(protocol, work, form !== 'body');
      const other = gateway.others[operation](protocol, work, form !== 'body');
      // Most of what they use is the same, and warm after the first of them.
      for (const question of [chat, other]) await costOf(question, effort.warmUpMs);
      const rounds: { chat: number; other: number }[] = [];
      for (let round = 0; round < effort.rounds; round += 1) {
        // What comes second meets a warmer machine.
        const before = round % 2 === 0 ? undefined : await costOf(other, effort.roundMs);
        const cost = await costOf(chat, effort.roundMs);
        rounds.push({ chat: cost, other: before ?? (await costOf(other, effort.roundMs)) });
      }
      measured.push({
        operation,
        form,
        protocol: protocol.name,
        callers,
        chat: median(rounds.map((round) => round.chat)),
        other: median(rounds.map((round) => round.other)),
        overChat: median(rounds.map((round) => round.other / round.chat)),
      });
    }
  }
  await client.close();
  return measured;
}
