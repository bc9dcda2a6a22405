/** The people and the past that most journeys start from: me, three others and a group. */
import type { Seed, SeedConversation } from '../../src/server/seed/seed-format.ts';

const minute = 60;
export const day = 24 * 60 * minute;

export const withAnn: SeedConversation = {
  between: ['me', 'ann'],
  messages: [
    { from: 'ann', text: 'Are we still on for the harbour?', at: -day - 40 * minute },
    { from: 'me', text: 'Yes we are', at: -day - 38 * minute },
    { from: 'ann', text: 'The ferry leaves at nine', at: -3 * 60 * minute },
    { from: 'me', text: 'I will be there', at: -2 * 60 * minute },
    { from: 'ann', text: 'Bring the tickets', at: -60 * minute },
  ],
};

export const withBob: SeedConversation = {
  between: ['me', 'bob'],
  messages: [
    { from: 'bob', text: 'Did you read the draft?', at: -5 * 60 * minute },
    { from: 'me', text: 'Half of it', at: -4 * 60 * minute },
  ],
};

export const crew: SeedConversation = {
  group: 'crew',
  messages: [
    { from: 'cyd', text: 'Who brings the coffee?', at: -9 * 60 * minute },
    { from: 'ann', text: 'I do', at: -8 * 60 * minute },
  ],
};

export const seed: Seed = {
  users: [{ username: 'me' }, { username: 'ann' }, { username: 'bob' }, { username: 'cyd' }, { username: 'dora' }],
  groups: [{ name: 'crew', members: ['me', 'ann', 'cyd'] }],
  conversations: [withAnn, withBob, crew],
};

/** The same people with other conversations. */
export const talking = (...conversations: readonly SeedConversation[]): Seed => ({ ...seed, conversations });

/** The row of the conversation in the list with its unread count. The edge after it is asked for: hours have digits too. */
export const unread = (name: string, count: number | string): RegExp => new RegExp(`${name} .* ${count} ?[│┬]`);

/** The numbers of the messages of `seedBulk` that the thread shows, from the top. */
export const numbersIn = (screen: string): readonly number[] =>
  [...screen.matchAll(/[│┃] ?▌?[ ·]* #(\d+) /g)].map((match) => Number(match[1]));
