/**
 * What sixteen other terminal chat clients have, and what msg-tui has of it. Each row is `[feature, test file, title, remark?]`
 * where msg-tui has it, else `[feature, 'partly' or 'no', why]`. `npm run docs` writes docs/comparison.md from it;
 * test/docs.test.ts checks that the tests exist.
 */
import { testCell } from './test-cell.mjs';

const getting = [
  ['Fuzzy switcher', 'journeys/switcher.journey.ts', 'the switcher goes to a conversation, and back'],
  [
    'Command palette together with chats',
    'journeys/switcher.journey.ts',
    'the switcher finds people, groups and commands',
  ],
  ['Key for the next unread conversation', 'journeys/walk.journey.ts', 'Alt-a goes through the unread conversations'],
  [
    'Return to where hopping began',
    'commands/jumps.test.ts',
    'Alt-Home returns to where the first jump began, and going forward leads over all of them',
  ],
  [
    'View of unread conversations only',
    'journeys/list.journey.ts',
    'the list is filtered, and conversations are pinned, muted, archived and deleted',
  ],
  ['Position history', 'commands/jumps.test.ts', 'lead to another conversation and back, and skip one that is gone'],
  [
    'Jump to a conversation by number',
    'commands/list.test.ts',
    'Alt-arrows, Alt-digits and Alt-/ work from the composer and keep the focus there',
    'The numbers count rows; they are not drawn.',
  ],
  ['Splits', 'no', 'Not yet: one conversation is shown at a time.'],
  [
    'Browse without marking read',
    'journeys/reading.journey.ts',
    'a peek shows the messages without marking them as read on the server; opening marks them',
  ],
  ['Scroll position kept', 'view/panes.test.ts', 'stay when history is fetched'],
];

const writing = [
  ['Enter sends', 'journeys/send.journey.ts', 'a message is shown as sending, and then as sent'],
  [
    'Several lines without a mode',
    'journeys/multi-line.journey.ts',
    'a text of several lines is written, and edited as in a shell',
  ],
  [
    'External editor',
    'journeys/editing.journey.ts',
    'the editor gets the draft and returns it; a prompt, s/old/new/ and recalled texts are edited as in the composer',
  ],
  [
    'Draft for each conversation',
    'state/composer/drafts.test.ts',
    'each conversation has its own; an empty one is not stored',
  ],
  ['Draft survives a restart', 'journeys/draft-crash.journey.ts', 'a draft survives kill -9'],
  ['Completion of `@name` and `:emoji:`', 'journeys/completion.journey.ts', 'names, emoji and commands are completed'],
  ['Paste an image or a file', 'no', 'Not possible with this API: it has no upload. An address can be attached.'],
  [
    'Bracketed paste',
    'journeys/paste.journey.ts',
    'a paste of ten kilobytes with line ends and escape sequences is one text',
  ],
  ['Undo and redo', 'commands/composer.test.ts', 'the readline keys work'],
  ['Spell check', 'no', 'Not yet; `Ctrl-O` opens the draft in an editor that has one.'],
  ['Live preview of markup', 'no', 'Not yet: a message is formatted once it is sent.'],
  [
    'No loss of unsent text at the end',
    'journeys/leave.journey.ts',
    'Ctrl-C clears the draft, and twice more quits; the cleared text stays a draft',
    'It is kept, so nothing is asked.',
  ],
  [
    '`s/old/new/`',
    'commands/substitute.test.ts',
    'Enter asks first; yes edits the last own message and empties the composer',
  ],
];

const messages = [
  [
    'Select a message with keys',
    'commands/messages.test.ts',
    'j and k select the next message and scroll it into sight; g and G go to the ends',
  ],
  ['React', 'journeys/react.journey.ts', 'reactions are given, taken back and chosen from the picker'],
  ['Toggle an existing reaction', 'journeys/react.journey.ts', 'reactions of others stay when the user reacts'],
  ['Reply; jump to what is quoted', 'journeys/quote.journey.ts', 'a reply quotes a message, leads to it, and back'],
  ['Delete after a question', 'journeys/delete-message.journey.ts', 'a message is deleted'],
  ['Copy a message', 'journeys/copy.journey.ts', 'y copies only the text, with control characters as visible ones'],
  [
    'Menu of actions',
    'commands/menus.test.ts',
    'opens with Enter and has every action, its key, and why it cannot be used',
  ],
  [
    'Pin a message, list the pinned ones',
    'journeys/pin-message.journey.ts',
    'a message is pinned and unpinned',
    'The API has one pinned message for each conversation; it is shown on top.',
  ],
  [
    'Pin, mute and archive a conversation',
    'journeys/list.journey.ts',
    'the list is filtered, and conversations are pinned, muted, archived and deleted',
  ],
  [
    'Select several messages',
    'commands/marks.test.ts',
    'd asks once, names the messages that stay, and deletes the own ones',
  ],
];

const unread = [
  ['Unread count', 'journeys/unread.journey.ts', 'unread counts and the "new" line are shown'],
  ['"New" line', 'journeys/unread.journey.ts', 'unread counts and the "new" line are shown'],
  [
    'Policy when a message counts as read',
    'partly',
    'A conversation is read once its end was on the screen; `reveal_reading` and peek are the only choices.',
  ],
  [
    'Peek',
    'journeys/reading.journey.ts',
    'a peek shows the messages without marking them as read on the server; opening marks them',
  ],
  ['Mark unread', 'commands/list.test.ts', 'u marks a conversation as unread and as read again, only here'],
  [
    'Mark all read',
    'commands/list.test.ts',
    '/read-all marks all conversations as read, and z undoes that one by one',
    '`/read-all`, for the conversations of the view.',
  ],
  ['State of delivery for each message', 'view/states.test.ts', 'that failed show the reason and the keys that help'],
];

const search = [
  [
    'Find in the conversation, `n` and `N`',
    'commands/message-search.test.ts',
    'is followed by n and N, which go to the other hits',
  ],
  [
    'Find in all conversations',
    'commands/message-search.test.ts',
    'pressed again searches everywhere, and once more the conversation',
  ],
  ['Local and indexed', 'partly', 'It is local; it reads the cached messages without an index.'],
  [
    'Operators such as `from:`',
    'state/search/search-query.test.ts',
    'has operators in any case, negated by a minus, with a phrase as value',
  ],
  ['Accents do not matter', 'text/search/match.test.ts', 'without its accents, and where a sign ends a word'],
];

const media = [
  ['Pictures in the thread', 'journeys/pictures.journey.ts', 'o asks, and then shows the picture in half blocks'],
  [
    'Choice of the picture protocol',
    'journeys/pictures.journey.ts',
    'the setting decides how pictures are drawn, also while they are on the screen',
  ],
  ['File picker', 'no', 'Not possible with this API: it has no upload.'],
  [
    'Caption',
    'commands/attach.test.ts',
    'a text is sent in one message with what is attached',
    'It is the text of the message.',
  ],
  [
    'Policy of fetching',
    'journeys/pictures.journey.ts',
    'if the setting allows it no question is asked, and a terminal with pictures draws it itself',
  ],
  [
    'Safe names, and a question before an address is opened',
    'journeys/mouse.journey.ts',
    'a click on a link opens a question with the whole address',
  ],
];

const notifications = [
  ['Bell and desktop', 'journeys/notify.journey.ts', 'a message notifies while the terminal has no focus'],
  [
    'Knows whether the terminal has the focus',
    'cli/chat/notifications.test.ts',
    'somebody sees the chat if the terminal has the focus, or, if focus is not reported, has just pressed a key',
  ],
  ['Command', 'journeys/notify.journey.ts', 'the command of a notification gets the message and not the token'],
  ['Levels of privacy', 'notify/words.test.ts', 'say as much as the privacy level lets them'],
  [
    'Escape sequences of the terminal',
    'terminal/notification.test.ts',
    'have every ESC doubled through tmux, and the bell is added',
  ],
  [
    'Keywords',
    'notify/policy.test.ts',
    'notifies from a muted conversation for a message with a keyword, whatever its case and accents',
  ],
  [
    'Mute for a time, quiet hours',
    'commands/mute.test.ts',
    'm asks for how long; 8 mutes for eight hours, and the notice says until when',
  ],
  [
    'Taken back when read',
    'notify/notifier.test.ts',
    'a notification is closed when its conversation is read, and all of them at the end',
  ],
];

const settings = [
  [
    'Themes, changed while it runs',
    'cli/chat/appearance.test.ts',
    'a theme that is set while the program runs is on the screen with the next frame',
  ],
  ['Change keys', 'cli/chat/save-keys.test.ts', 'writes the keys into the file and leaves the rest of it'],
  ['Change keys in the program, key profiles', 'commands/help.test.ts', 'takes a free key at once'],
  ['Macros', 'commands/repeat.test.ts', 'stops at the first command that cannot run, and says so'],
  [
    'Settings screen',
    'commands/settings.test.ts',
    'arrows and Space try a value in the running program at once, and Esc restores the value before',
  ],
  ['Check of the configuration', 'cli/config/config.test.ts', 'check reports every problem and ends with 1'],
  [
    'Changes of the configuration count at once',
    'cli/config/follow-config.test.ts',
    'a change of the file takes effect at once, and an invalid file changes nothing',
  ],
  ['`NO_COLOR`', 'journeys/theme.journey.ts', 'NO_COLOR removes the colours'],
];

const accounts = [
  ['Several accounts in one process', 'journeys/accounts.journey.ts', 'the chat goes to another account and back'],
  [
    'Token in the keyring',
    'cli/sign-in/find-account.test.ts',
    'the token of a configured account is stored in the keyring; the next start reads it when it is needed',
  ],
  [
    'Token from a command, the environment or a file',
    'cli/accounts/login.test.ts',
    'a token command is run without a shell and saved; the token is saved nowhere',
  ],
  ['Help at the first start', 'journeys/welcome.journey.ts', 'the welcome screen connects to a service'],
  ['Screen lock', 'no', 'Not yet.'],
];

const reliability = [
  [
    'Cache of messages',
    'journeys/offline.journey.ts',
    'without the server cached messages are shown and a message is queued, which is sent later',
  ],
  ['Limits of the cache', 'no', 'Not yet: it keeps what was read.'],
  [
    'Messages written offline are sent later',
    'journeys/offline.journey.ts',
    'a message queued offline survives kill -9',
  ],
  [
    'Send again, edit or discard what failed',
    'view/states.test.ts',
    'that failed show the reason and the keys that help',
  ],
  ['State of the connection', 'journeys/trouble.journey.ts', '429 is shown, and waited for'],
  [
    'Age of what is shown',
    'journeys/offline.journey.ts',
    'without the server cached messages are shown and a message is queued, which is sent later',
  ],
  [
    'Gaps in the history are marked',
    'view/states.test.ts',
    'distinguish messages that are loading, absent, and impossible to fetch',
  ],
];

const scripts = [
  ['Export', 'journeys/archive.journey.ts', 'exported conversations are imported, and opened with --archive'],
  ['Send from the shell', 'cli/messages/send.test.ts', 'the message is sent, and its id is printed'],
  [
    'List and follow messages in a form for programs',
    'cli/messages/reading.test.ts',
    'prints messages and changes of a conversation, one object a line, while a chat reads the same one',
  ],
  [
    'Control of a running program',
    'partly',
    'Commands write beside it through the same outbox; none of them acts on its screen.',
  ],
  ['Rules and plugins', 'partly', 'Hooks run a program on a message, a mention or a failure; there are no plugins.'],
  [
    'Doctor',
    'journeys/doctor.journey.ts',
    'beside a running chat doctor reports who sends and what was learned, which can be forgotten and is learned again',
  ],
  [
    'Shell completion',
    'cli/completion/complete.test.ts',
    'every command that is not hidden is offered, and so is every option of each',
  ],
];

const access = [
  ['Mode for screen readers', 'no', 'Not yet.'],
  [
    'Emoji as text',
    'text/emoji/emoji.test.ts',
    'emoji in a text are replaced by their names: %s',
    'With `glyphs = "ascii"`.',
  ],
  ['Colour is never the only signal', 'view/states.test.ts', 'has only attributes on a terminal without colours'],
  ['Widths of characters can be set', 'no', 'Not yet.'],
  ['Reduced motion', 'journeys/idle.journey.ts', 'an idle chat writes no bytes', 'Nothing moves by itself.'],
];

const learning = [
  [
    'Keys that work here in the footer',
    'view/states.test.ts',
    'leaves out what does not fit, and never the hints that have to stay',
  ],
  ['Help from the table of keys', 'journeys/help.journey.ts', 'the help finds and runs commands, and closes'],
  ['Prints its keys', 'commands/table.test.ts', 'is printed as text, JSON and Markdown'],
  ['Demo without an account', 'journeys/welcome.journey.ts', 'the welcome screen opens the demo'],
  ['Tutorial', 'server/demo/guide.test.ts', 'notices each task that is done, in order, and says when that was all'],
];

const terminal = [
  ['Mouse', 'ui/overlay-mouse.test.tsx', 'a click beside it closes it and reaches nothing below'],
  [
    'Links of the terminal (OSC 8)',
    'terminal/hyperlink.test.ts',
    'only the text of the link is between its sequences, and no other cell is written again',
  ],
  [
    'Clipboard over ssh (OSC 52)',
    'terminal/clipboard.test.ts',
    'a copy is one OSC 52 whose payload decodes to the text',
  ],
  [
    'Extended keys',
    'terminal/capabilities.test.ts',
    'answers of the terminal override guesses; an answer without news changes nothing',
  ],
  [
    'Unread count in the title of the window',
    'cli/chat/notifications.test.ts',
    'writes the title when it changes and only then',
  ],
  ['Suspend', 'journeys/suspend.journey.ts', 'Ctrl-Z suspends the chat, and fg resumes it'],
  ['Narrow terminals', 'journeys/size.journey.ts', 'a narrow screen shows one pane at a time'],
];

export const comparison = [
  { heading: 'Getting around', rows: getting },
  { heading: 'Writing', rows: writing },
  { heading: 'Messages', rows: messages },
  { heading: 'Unread and read', rows: unread },
  { heading: 'Search', rows: search },
  { heading: 'Pictures and files', rows: media },
  { heading: 'Notifications', rows: notifications },
  { heading: 'Settings', rows: settings },
  { heading: 'Accounts', rows: accounts },
  { heading: 'Reliability', rows: reliability },
  { heading: 'Scripts and tools', rows: scripts },
  { heading: 'Accessibility', rows: access },
  { heading: 'Learning it', rows: learning },
  { heading: 'Terminal', rows: terminal },
];

const isHad = ([, state]) => state !== 'partly' && state !== 'no';

const cells = ([feature, state, text, remark = '']) =>
  isHad([feature, state])
    ? `| ${feature} | yes | ${testCell(state, text)} | ${remark} |`
    : `| ${feature} | ${state} | | ${text} |`;

export function comparisonPage() {
  const all = comparison.flatMap(({ rows }) => rows);
  const count = (state) => all.filter((row) => row[1] === state).length;
  const had = all.filter(isHad).length;
  return [
    `# What other clients have

Written by \`npm run docs\` from \`scripts/comparison.mjs\`. The rows are features of siggy, nchat, endcord, slk, iamb, matterhorn,
zulip-terminal, gurk, gomuks, discordo, weechat, aerc, tut, toot, tg and slack-term. Of ${all.length} features msg-tui has ${had},
${count('partly')} in part, and ${count('no')} not. The service that it talks to can only be polled and has no upload, which leaves out some.
`,
    ...comparison.map(
      ({ heading, rows }) =>
        `## ${heading}\n\n| | | test | remark |\n|---|---|---|---|\n${rows.map(cells).join('\n')}\n`,
    ),
  ].join('\n');
}
