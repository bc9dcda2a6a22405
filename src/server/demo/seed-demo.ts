/** Gives the conversations of the demo times in the last weeks and imports them as a seed. */

import type { Service } from '../rules/service.ts';
import { importSeed } from '../seed/seed.ts';
import type { SeedConversation, SeedMessage, SeedState } from '../seed/seed-format.ts';
import type { PersonRow } from '../store/people.ts';
import { demoContacts } from './contact-scenes.ts';
import { createDice, type Dice } from './dice.ts';
import { demoGroups } from './group-scenes.ts';
import type { DemoContact, DemoGroup, Scene } from './scenes.ts';
import { smallTalk } from './small-talk.ts';

export interface DemoResult {
  readonly user: PersonRow;
  readonly token: string;
}

const day = 24 * 60 * 60;

/** The username of the user who looks at the demo. */
const me = 'you';

/** The other people are users too, so that the same rules hold for them. Only the viewer gets a token. */
export async function seedDemo(service: Service): Promise<DemoResult> {
  const dice = createDice(1);
  const end = service.now() - 5 * 60;
  const conversations = [
    ...demoContacts.map((contact, index) => {
      const older = smallTalk.filter((_, n) => n % demoContacts.length === index);
      const scenes = [...older, ...contact.scenes];
      return contactConversation({ ...contact, scenes }, end - index * 47 * 60, dice);
    }),
    ...demoGroups.map((group, index) => groupConversation(group, end - index * 3 * 60 * 60 - 120, dice)),
  ];
  await importSeed(service, {
    users: [
      { username: me },
      ...demoContacts.map(({ username, phone }) => ({
        username,
        phone_number: phone,
        avatar_url: `https://avatars.example/${username}.png`,
      })),
    ],
    groups: demoGroups.map(({ name, members }) => ({ name, members: [me, ...members] })),
    conversations,
  });
  const { token } = await service.admin.createToken(me, 'demo');
  return { user: await service.admin.person(me), token };
}

function contactConversation(contact: DemoContact, end: number, dice: Dice): SeedConversation {
  const messages = layOut(contact.scenes, [contact.username], end, dice);
  return { between: [me, contact.username], messages, state: { [me]: stateOf(contact, end) } };
}

function groupConversation(group: DemoGroup, end: number, dice: Dice): SeedConversation {
  const messages = layOut(group.scenes, group.members, end, dice);
  const pinned = messages.findIndex((message) => group.pinnedLine?.slice(1) === message.text);
  const state = { ...stateOf(group, end), ...(pinned < 0 ? {} : { pinned_message: pinned }) };
  return { group: group.name, messages, state: { [me]: state } };
}

function stateOf({ state, unread }: Pick<DemoContact, 'state' | 'unread'>, end: number): SeedState {
  return {
    is_pinned: state === 'pinned',
    is_muted: state === 'muted',
    unread: unread ?? 0,
    ...(state === 'archived' ? { archived_at: end } : {}),
  };
}

/** Sets the times from the last line backwards: minutes between lines, days between scenes. */
function layOut(scenes: readonly Scene[], others: readonly string[], end: number, dice: Dice): SeedMessage[] {
  const messages: SeedMessage[] = [];
  let at = end;
  for (const scene of [...scenes].reverse()) {
    for (const line of [...scene].reverse()) {
      messages.push(parseLine(line, others, at));
      at -= dice.between(20, 400);
    }
    at -= dice.between(day / 2, 4 * day);
  }
  return messages.reverse();
}

/** The notation is described at `Scene`. */
function parseLine(line: string, others: readonly string[], at: number): SeedMessage {
  const [, mark = '<', text = '', reaction, edited, address] =
    /^(.)([\s\S]*?)(?: \| (\S+))?( ~)?(?: @(https:\S+))?$/u.exec(line) ?? [];
  const speaker = mark === '<' ? 0 : Number(mark) - 1;
  const from = mark === '>' ? me : (others[speaker] ?? me);
  const reactor = others.find((name) => name !== from) ?? me;
  return {
    from,
    text,
    at,
    ...(reaction === undefined ? {} : { reactions: { [reaction]: [reactor] } }),
    ...(edited === undefined ? {} : { edited_at: at + 60 }),
    ...(address === undefined ? {} : { attachments: [{ file_url: address }] }),
  };
}
