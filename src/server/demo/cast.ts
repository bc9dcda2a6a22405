/**
 * Lets the people of the demo write messages: a few by themselves at first, later only answers to the user.
 */
import type { FormMap, FormValue } from '../../protocol/form-decode.ts';
import type { WireMessage } from '../../protocol/wire.ts';
import type { Service } from '../rules/service.ts';
import type { SentMessage } from '../rules/service-context.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { PersonRow } from '../store/people.ts';
import { isUnavailable } from '../store/sql.ts';
import { demoChatter, demoReplies } from './cast-lines.ts';
import { createDice, type Dice } from './dice.ts';
import { guideName } from './guide-lessons.ts';

export interface CastOptions {
  readonly service: Service;
  /** The user who looks at the demo. */
  readonly user: PersonRow;
  readonly clock: CastClock;
}

export interface CastClock {
  /** Calls back once after `delayMs`; the returned function cancels it. The promise is for tests and never rejects. */
  after(delayMs: number, callback: () => Promise<void>): () => void;
}

export interface Cast {
  /** Cancels everything that is planned. */
  stop(): void;
}

interface Stage {
  readonly service: Service;
  readonly user: PersonRow;
  readonly dice: Dice;
  later(delayMs: number, act: () => Promise<unknown>): void;
}

/**
 * Plans the first messages. After these no timer is set until the user writes something, so that an idle demo uses no
 * processor time.
 */
export function startCast(options: CastOptions): Cast {
  const { service, user, clock } = options;
  const cancels = new Set<() => void>();
  let isStopped = false;
  const later = (delayMs: number, act: () => Promise<unknown>): void => {
    if (isStopped) return;
    const cancel = clock.after(delayMs, () => {
      cancels.delete(cancel);
      return tolerant(act);
    });
    cancels.add(cancel);
  };
  const stage: Stage = { service, user, dice: createDice(1), later };
  for (const line of demoChatter) later(line.after * 1000, () => chat(stage, line));
  const unlisten = service.onSent((sent) => {
    if (sent.by.seq === user.seq) void tolerant(() => answer(stage, sent));
  });
  return {
    stop: () => {
      isStopped = true;
      unlisten();
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}

/**
 * Ignores refusals, since the user may have deleted the message or conversation that a step is about, and a full disk: the
 * chat goes on without what would have been said.
 */
export async function tolerant(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ServiceError) && !isUnavailable(error)) throw error;
  }
}

async function chat({ service, user }: Stage, { who, group, say }: (typeof demoChatter)[number]): Promise<void> {
  const speaker = await service.admin.person(who);
  const target = group === undefined ? { contact_id: user.id } : { group_id: (await service.admin.group(group)).id };
  const { conversation } = await service.conversations.create(speaker, form(target));
  await post(service, speaker, conversation.id, say);
}

/** Plans the answer to a message: to read it, perhaps to react, to answer, and sometimes to edit the answer. */
async function answer(stage: Stage, { threadSeq, messageId }: SentMessage): Promise<void> {
  const { service, dice, user, later } = stage;
  const { people, conversations } = service.store;
  const others = (await conversations.participants(threadSeq)).filter(({ seq }) => seq !== user.seq);
  const speaker = others.length === 0 ? undefined : await people.bySeq(dice.pick(others).seq);
  const conversationId = speaker && (await conversations.byThread(threadSeq, speaker.seq))?.id;
  // The guide answers for itself.
  if (speaker === undefined || speaker.username === guideName || conversationId === undefined) return;
  const heard = await service.messages.retrieve(speaker, messageId);
  const row = demoReplies.find(({ fits }) => fits.test(heard.message));
  if (row === undefined) return;
  const readAfter = dice.between(900, 2500);
  later(readAfter, () => service.conversations.retrieve(speaker, conversationId));
  const { react } = row;
  if (react !== undefined && dice.next() < 0.5) {
    later(readAfter + dice.between(500, 1500), () =>
      service.messages.update(speaker, messageId, new Map([['reactions', new Map([[react, [speaker.username]]])]])),
    );
  }
  const say = dice.pick(row.say);
  const better = dice.pick(row.say);
  // Some answers are edited after they were sent, and a few are deleted and written anew.
  const chance = dice.next();
  later(readAfter + dice.between(1200, 4000), async () => {
    const said = await post(service, speaker, conversationId, say);
    if (chance < 0.15)
      later(4000, () => service.messages.update(speaker, said.id, form({ message: `${say} (I think)` })));
    if (chance < 0.93) return;
    later(6000, () => service.messages.delete(speaker, said.id));
    later(8000, () => post(service, speaker, conversationId, better));
  });
}

function post(service: Service, speaker: PersonRow, conversationId: string, message: string): Promise<WireMessage> {
  return service.messages.send(speaker, form({ conversation_id: conversationId, message }));
}

/** The fields of a request to the server, as they come from a decoded body or query. */
export const form = (fields: Readonly<Record<string, FormValue>>): FormMap => new Map(Object.entries(fields));
