/**
 * The Messages operation beside chat: both ask one gateway for the same work of the same model, in turns. A model of Anthropic gets
 * the body as it came, and is answered with its own events; one of OpenAI is translated to and from.
 */
import { createClient, type Question } from '../client.ts';
import type { Gateway } from '../contenders.ts';
import type { MessagesCost } from '../measured.ts';
import { anthropicProtocol } from '../protocols/anthropic.ts';
import { openaiProtocol } from '../protocols/openai.ts';
import type { Work } from '../protocols/protocol.ts';
import { runRound } from '../round.ts';
import { median } from '../statistics.ts';
import type { Effort } from './scenarios.ts';

const callers = 16;
const atOnce: Work = { messages: 3, pieces: 50, paceMs: 0 };

const forms: readonly { readonly form: MessagesCost['form']; readonly work: Work }[] = [
  { form: 'body', work: atOnce },
  { form: 'stream', work: atOnce },
  { form: 'paced stream', work: { ...atOnce, paceMs: 10 } },
];

export async function measureMessages(gateway: Gateway, effort: Effort): Promise<readonly MessagesCost[]> {
  const client = createClient(gateway.url);
  const costOf = async (question: Question, ms: number): Promise<number> =>
    (await runRound(gateway, client, question, { callers, ms })).cpu;
  const measured: MessagesCost[] = [];
  for (const protocol of [anthropicProtocol, openaiProtocol]) {
    for (const { form, work } of forms) {
      const chat = gateway.question(protocol, work, form !== 'body');
      const messages = gateway.messages(protocol, work, form !== 'body');
      for (const question of [chat, messages]) await costOf(question, effort.warmUpMs);
      const rounds: { chat: number; messages: number }[] = [];
      for (let round = 0; round < effort.rounds; round += 1) {
        // What comes second meets a warmer machine.
        const before = round % 2 === 0 ? undefined : await costOf(messages, effort.roundMs);
        const cost = await costOf(chat, effort.roundMs);
        rounds.push({ chat: cost, messages: before ?? (await costOf(messages, effort.roundMs)) });
      }
      measured.push({
        form,
        protocol: protocol.name,
        callers,
        chat: median(rounds.map((round) => round.chat)),
        messages: median(rounds.map((round) => round.messages)),
        overChat: median(rounds.map((round) => round.messages / round.chat)),
      });
    }
  }
  await client.close();
  return measured;
}
