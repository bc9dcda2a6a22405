/** The lessons of the demo's guide: what it asks the user to do, and how it sees that this was done. */
import type { WireMessage } from '../../protocol/wire.ts';

/** The username of the guide. */
export const guideName = 'guide';

/** The first key of a command in the user's key profile, as it is shown; '' for a command without a key. */
export type KeyOf = (commandId: string) => string;

/** What the server knows of the user since the task was given. */
export interface Progress {
  /** The message with the task. */
  readonly task: WireMessage;
  /** The user's messages to the guide after the task, oldest first. */
  readonly written: readonly WireMessage[];
  /** Whether a message of the user to the guide was edited after the task. */
  readonly hasEdited: boolean;
  /** Whether a conversation is pinned that was not when the task was given. */
  readonly hasPinned: boolean;
  /** Whether the guide is muted or not, unlike when the task was given. */
  readonly hasMuteChanged: boolean;
}

export interface Lesson {
  /** @param isMuted whether the user has muted the guide already */
  readonly task: (keyOf: KeyOf, isMuted: boolean) => string;
  readonly isDone: (progress: Progress) => boolean;
  /** What the guide says before the next task. */
  readonly praise: string;
}

/** Without a key the command is still in the palette. */
const press = (keyOf: KeyOf, id: string, title: string): string => {
  const key = keyOf(id);
  if (key !== '') return `press ${key}`;
  const palette = keyOf('goto.open');
  return `choose “${title}” in the palette${palette === '' ? '' : ` (${palette}, then >)`}`;
};

export const lessons: readonly Lesson[] = [
  {
    task: (keyOf) =>
      `Write me a line and ${press(keyOf, 'message.send', 'Send')}. Words that you type in the list or the messages go to the composer, too.`,
    isDone: ({ written }) => written.length > 0,
    praise: 'It arrived.',
  },
  {
    task: (keyOf) =>
      `Reply to this message: select it (${press(keyOf, 'cursor.up', 'Select the newest message')} in the empty composer), ${press(keyOf, 'message.reply', 'Reply')}, and write your answer under the quote.`,
    isDone: ({ written }) => written.some(({ message }) => /^>/m.test(message)),
    praise: 'I see what you answered to.',
  },
  {
    task: (keyOf) =>
      `React to this message: select it and ${press(keyOf, 'message.like', 'Give or take back 👍')}. To choose another reaction, ${press(keyOf, 'message.react', 'React')}.`,
    isDone: ({ task }) => task.reactions.length > 0,
    praise: 'Thank you!',
  },
  {
    task: (keyOf) =>
      `Edit a message that you wrote to me: select it and ${press(keyOf, 'message.edit', 'Edit')}. Change a word and send it again.`,
    isDone: ({ hasEdited }) => hasEdited,
    praise: 'That reads better.',
  },
  {
    task: (keyOf) =>
      `Pin a conversation: go to the list (${press(keyOf, 'focus.next', 'Next pane')}), select one that is not pinned and ${press(keyOf, 'conversation.pin', 'Pin')}. The same again removes the pin.`,
    isDone: ({ hasPinned }) => hasPinned,
    praise: 'It stays at the top now.',
  },
  {
    task: (keyOf) =>
      `Search all conversations: ${press(keyOf, 'find.open', 'Find')}, once more to search everywhere, and type “from:ann ferry”. At which hour does the ferry leave? Write it to me.`,
    isDone: ({ written }) => written.some(({ message }) => /\b(0?9|nine)\b/i.test(message)),
    praise: 'Nine o’clock, that is right.',
  },
  {
    task: (keyOf, isMuted) =>
      `${isMuted ? 'I am muted. Let me be heard again' : 'Mute me for an hour'}: go to the list (${press(keyOf, 'focus.next', 'Next pane')}), select me and ${press(keyOf, 'conversation.mute', 'Mute')}.`,
    isDone: ({ hasMuteChanged }) => hasMuteChanged,
    praise: 'The list shows a sign before my name for as long as I am muted.',
  },
];

export const welcome =
  'Hello! I am the guide. I give you one small task after another. “skip” goes to the next one, “again” starts over.';

export const farewell = (keyOf: KeyOf): string =>
  `That was all. To see every key, ${press(keyOf, 'help.open', 'Help')}; to go to a conversation, ${press(keyOf, 'goto.open', 'Go to')}. The others are waiting for you. “again” starts over.`;
