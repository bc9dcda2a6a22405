/**
 * What the screen does, line by line, and the test that holds each line: `[line, test file, title]`. A line without a test
 * does not exist yet. `npm run docs` writes docs/features.md from it; test/docs.test.ts checks that the tests exist.
 */
import { testCell } from './test-cell.mjs';

const list = [
  [
    'Pinned conversations come first, the others by activity',
    'state/select/selectors.test.ts',
    'lists pinned conversations first, then by activity, newest first',
  ],
  [
    'An entry has the name (contact book, local name or short id), the time, and the last message with its author',
    'state/select/selectors.test.ts',
    'of a conversation are the local name, the user name, the phone number, or the end of the id',
  ],
  [
    'In a list of any length, names and messages are read where they come into sight',
    'sync/poll/poll-tracker.test.ts',
    'of a long list the first are read at the start, and others as soon as the list shows them',
  ],
  ['Unread counts', 'journeys/unread.journey.ts', 'unread counts and the "new" line are shown'],
  [
    'Symbols for pinned, muted and archived',
    'journeys/list.journey.ts',
    'the list is filtered, and conversations are pinned, muted, archived and deleted',
  ],
  [
    'Symbols for a draft, failed and unsure messages',
    'view/states.test.ts',
    'shows drafts of other conversations, and unsent messages with their state',
  ],
  ['A symbol for later'],
  ['Colour is never the only signal', 'view/states.test.ts', 'has only attributes on a terminal without colours'],
  [
    'Views: all, unread, pinned, muted, archived',
    'journeys/list.journey.ts',
    'the list is filtered, and conversations are pinned, muted, archived and deleted',
  ],
  [
    'A view of one group',
    'commands/screen.test.ts',
    'v on a conversation of a group offers the view of that group alone',
  ],
  ['Views that the user defines'],
  [
    'The view of all leaves out archived conversations',
    'state/select/selectors.test.ts',
    'shows archived conversations only in their own view',
  ],
  [
    'Alt-a walks through the unread conversations, says how many are left, and goes back to where the walk began',
    'commands/next-unread.test.ts',
    'each stop says how many are left, and after the last one the user returns to where the walk began',
  ],
  [
    'Typing filters the list',
    'journeys/list.journey.ts',
    'the list is filtered, and conversations are pinned, muted, archived and deleted',
  ],
  [
    'The list never reorders under a moving selection',
    'state/select/selectors.test.ts',
    'keeps its order while frozen: new conversations come last, removed ones disappear',
  ],
  [
    'Three densities of the list: one, two or three rows per conversation',
    'view/list-density.test.ts',
    'a comfortable entry uses its third row for text, and a compact one leaves out the last message',
  ],
  [
    'A key changes the width of the list, and the width is saved',
    'commands/screen.test.ts',
    'keys make the list wider and narrower, within limits, and the width is saved',
  ],
  [
    'The pane that has the keyboard is obvious at a glance: heavy frame, inverse title',
    'view/focus.test.ts',
    'is the only one with a heavy frame and an inverse title',
  ],
];

const thread = [
  [
    'Messages are grouped by author, with a line for each day',
    'journeys/open-and-read.journey.ts',
    'opening a conversation marks its messages as read',
  ],
  ['A "new" line where you left off', 'journeys/unread.journey.ts', 'unread counts and the "new" line are shown'],
  [
    'A conversation with more unread messages than fit opens at the "new" line, and counts as read once its end was on the screen',
    'journeys/unread.journey.ts',
    'unread messages that do not fit open at the first one, and count as read at the last one',
  ],
  [
    'Where more is unread than the newest page of the server holds, an opening reads back to where unread begins',
    'journeys/unread.journey.ts',
    'unread messages that begin before the newest page open at the first one, and are counted',
  ],
  [
    'What arrives without the focus is unread after the "new" line until the terminal has it again',
    'sync/poll/thread/open-conversation.test.ts',
    'are unread after the "new" line until the terminal has the focus again',
  ],
  [
    'What arrives while the thread is scrolled up comes after a "new" line',
    'sync/poll/thread/open-conversation.test.ts',
    'is before what arrives while the thread is scrolled up, also when more arrives and once the end is seen',
  ],
  ['The pinned message is shown on top', 'journeys/pin-message.journey.ts', 'a message is pinned and unpinned'],
  [
    'A key and a click jump to the pinned message',
    'commands/jumps.test.ts',
    'going back restores the scroll place, the selection and the focus; going forward returns to the target of the jump',
  ],
  [
    'Reactions are chips with counts, your own are marked',
    'journeys/react.journey.ts',
    'reactions are given, taken back and chosen from the picker',
  ],
  [
    'The reaction picker has a search, and offers reactions that were given before',
    'commands/messages.test.ts',
    'with the picker offers a reaction that was given before; taking one back does not count as a use',
  ],
  [
    'Who reacted is shown on demand',
    'state/details.test.ts',
    'show the time, the author and who reacted: names, or counts where the server gives no names',
  ],
  [
    'Attachments are chips that can be opened and copied',
    'state/select/links.test.ts',
    'the addresses of the text come first, then those of the attachments, each once',
  ],
  ['Edited messages are marked', 'journeys/edit.journey.ts', 'a message is edited'],
  [
    'Each message shows its state: queued, sending, sent, read, unsure, or failed with its reason',
    'view/states.test.ts',
    'that failed show the reason and the keys that help',
  ],
  [
    'Each person has a colour of their own, the same everywhere and after every start, readable on both backgrounds',
    'view/author-colour.test.ts',
    'depends only on the id, and is almost never the same for two in a group of six',
  ],
  [
    'Markdown: bold, italics, strike, inline code, quotes, lists, task lists',
    'text/markdown/rows.test.ts',
    'have lists, and wrap an item below its text',
  ],
  [
    'Markdown: code blocks with the colours of their language',
    'text/markdown/rows.test.ts',
    'have code with its language, and wrap a line below its own beginning',
  ],
  [
    'Markdown: tables, shown as cards where they are too wide',
    'text/markdown/rows.test.ts',
    'have a table, or cards if it is too wide',
  ],
  [
    'Markdown: links with their real host where the text differs',
    'journeys/markdown.journey.ts',
    'draws formatted text, uncovers spoilers when the message is selected, and shows the text as typed on demand',
  ],
  [
    'Markdown: spoilers, covered until the message is selected',
    'view/markdown.test.ts',
    'hides its spoilers until it is selected, without a change of the message',
  ],
  [
    'Messages are formatted in the first frame of a start',
    'cli/chat/formatted-pages.test.ts',
    'the first frame after a restart shows formatted messages while the parser is not loaded',
  ],
  ['The text as typed is available on demand', 'view/markdown.test.ts', 'is shown as it was typed on demand'],
  ['Plain text stays plain', 'text/markdown/rows.test.ts', 'a text without markup has the same rows as plain text'],
  ['Long messages fold', 'view/fold-cut.test.ts', 'shows its first rows and the number of hidden rows'],
  [
    'Quotes of earlier messages are drawn as one line and are links; a key jumps there, another one back',
    'journeys/quote.journey.ts',
    'a reply quotes a message, leads to it, and back',
  ],
  [
    'Every jump is kept in a history',
    'commands/jumps.test.ts',
    'jumps are bounded in number, and the same place is not stored twice in a row',
  ],
  [
    'Pictures are shown where the terminal can, fetched only from allowed addresses, decoded in a process of their own',
    'journeys/pictures.journey.ts',
    'o asks, and then shows the picture in half blocks',
  ],
  [
    '`picture_protocol` chooses how pictures are drawn, whatever the terminal says of itself',
    'journeys/pictures.journey.ts',
    'the setting decides how pictures are drawn, also while they are on the screen',
  ],
  [
    'Pictures are drawn by the terminal with sixels or the protocol of iTerm2, and drawn again where they move or were covered',
    'terminal/pictures/printed.test.ts',
    'is shown after any changes as on a screen that is drawn anew',
  ],
  [
    'Copy offers the message, each code block, links, the quote or the marked messages',
    'commands/copy.test.ts',
    'y offers the parts of a message that has several, each with a digit',
  ],
  [
    'A mouse selection in the thread joins wrapped lines and leaves out frames',
    'journeys/mouse.journey.ts',
    'dragging over text copies it as it was written',
  ],
  [
    'The whole history can be scrolled; more is fetched as needed',
    'journeys/scroll.journey.ts',
    'a thread of a thousand messages is scrolled to its beginning and back',
  ],
  [
    'A gap or an end that could not be fetched is named',
    'view/states.test.ts',
    'distinguish messages that are loading, absent, and impossible to fetch',
  ],
  [
    'A search of a conversation fetches older messages on a key, and finds in them',
    'commands/message-search.test.ts',
    'fetches older messages page by page, and searches each page, until the search is closed',
  ],
  ['Jump to a date', 'commands/jumps.test.ts', 'can be entered, and the first message at or after it is shown'],
  ['The place in each conversation is kept through polls', 'view/panes.test.ts', 'stay when history is fetched'],
  [
    'The open conversation, the scroll places, the selection, the views are there after a restart and after kill -9',
    'journeys/draft-crash.journey.ts',
    'the place in a long thread survives kill -9',
  ],
  [
    'Details of a message: times, states, raw JSON',
    'state/details.test.ts',
    'show the time, the author and who reacted: names, or counts where the server gives no names',
  ],
  [
    'Earlier versions of a message that were seen, with a word diff',
    'journeys/details.journey.ts',
    'the details show an edit that was seen, and lead to the person',
  ],
  [
    'The person page: last seen, shared groups, last exchange, links and files, a local note and name',
    'state/details.test.ts',
    'shows what is known, how old that is, and what was found',
  ],
  [
    'The page of a group names who has written there; the service lists no members',
    'state/details.test.ts',
    'of a group names who has written there, and who wrote last',
  ],
  [
    'Marks: copy, delete or forward many messages at once',
    'commands/marks.test.ts',
    'd asks once, names the messages that stay, and deletes the own ones',
  ],
  [
    'Marks: save many messages at once',
    'commands/save-messages.test.ts',
    'the marked messages are saved to one file, oldest first',
  ],
];

const composer = [
  [
    'Multi-line, with graphemes, word moves, selection, undo and redo, kill and yank',
    'journeys/multi-line.journey.ts',
    'a text of several lines is written, and edited as in a shell',
  ],
  [
    'A paste is one step',
    'journeys/paste.journey.ts',
    'a paste of ten kilobytes with line ends and escape sequences is one text',
  ],
  [
    'A question before 50 lines or 8,000 characters of paste are sent',
    'commands/long-paste.test.ts',
    'a paste of 50 lines, or of 8,000 characters, is sent only after a question',
  ],
  ['Completion of names', 'journeys/completion.journey.ts', 'names, emoji and commands are completed'],
  ['Completion of emoji', 'journeys/completion.journey.ts', 'names, emoji and commands are completed'],
  [
    'Sent texts can be recalled and searched',
    'commands/sent-texts.test.ts',
    'Ctrl-R finds a text by its words and puts it into the composer',
  ],
  [
    '`$EDITOR` opens the draft',
    'journeys/editing.journey.ts',
    'the editor gets the draft and returns it; a prompt, s/old/new/ and recalled texts are edited as in the composer',
  ],
  [
    'Each conversation has a draft, which survives a crash',
    'journeys/draft-crash.journey.ts',
    'a draft survives kill -9',
  ],
  [
    'Attachments are chips in the composer; it says that the service has no upload',
    'journeys/attach.journey.ts',
    'an attachment survives kill -9 in the draft, is sent without a text, and reaches the other user',
  ],
  ['The border names the recipient', 'view/states.test.ts', 'shows the recipient in its border'],
  [
    'Slash commands from the one table, with completion that says why one is disabled',
    'commands/slash.test.ts',
    'completion also lists commands that cannot run now, with the reason',
  ],
  [
    'An unknown /word is never sent without asking; // sends a slash',
    'journeys/completion.journey.ts',
    'names, emoji and commands are completed',
  ],
  [
    'Snippets with placeholders; a message can be saved as one',
    'commands/snippets.test.ts',
    'Tab goes through the placeholders, typing replaces their text, and after the last one Tab moves the focus again',
  ],
  [
    '`s/old/new/` edits the last own message, and shows the difference first',
    'commands/substitute.test.ts',
    'Enter asks first; yes edits the last own message and empties the composer',
  ],
  [
    'Forward one or many messages to one or several conversations',
    'commands/forward.test.ts',
    'sends the marked messages to each conversation chosen with Tab, and removes the marks',
  ],
  ['Send later'],
];

const aroundIt = [
  [
    'Every setting with its value, its source and its default; the arrows try a value in the running program, Esc goes back',
    'commands/settings.test.ts',
    'arrows and Space try a value in the running program at once, and Esc restores the value before',
  ],
  [
    'Enter writes the tried values to config.toml, whose comments stay',
    'cli/config/settings-file.test.ts',
    'writing keeps comments and order, and an invalid value is reported in one line',
  ],
  [
    'A click chooses a setting, and one on the chosen setting changes its value',
    'ui/overlays/settings.test.tsx',
    'a click chooses a setting, a second one changes it, and the wheel moves the choice',
  ],
  [
    'Every command leaves the frame whole and gives the keyboard back, in each key profile, theme, glyph set and size',
    'ui/every-look.test.tsx',
    'no row is wrong with $profile keys, $theme, ASCII: $ascii, $columns × $rows',
  ],
  [
    'With `dim_unfocused` the screen is dimmed while the terminal does not have the focus',
    'cli/config/screen-settings.test.ts',
    'the screen is dimmed in one frame when the focus goes, and is as before when it returns',
  ],
  [
    'With `reduced_motion` the cursor does not blink and no seconds count',
    'cli/config/screen-settings.test.ts',
    'with reduced motion the cursor is steady, and the header shows minutes',
  ],
  [
    '`glyphs` draws frames and signs in Unicode or ASCII, whatever the terminal says of itself',
    'cli/config/screen-settings.test.ts',
    'the setting chooses the glyph set, and --ascii overrides it',
  ],
  [
    '`text_width` is the longest line of a message, and what is left of a wide screen goes to the list',
    'cli/config/screen-settings.test.ts',
    'lines of messages are as wide as the setting says',
  ],
  [
    'After any number of resizes the screen is that of a new start, and the same words are at the top of the thread',
    'ui/resize.test.ts',
    'after a storm of sizes the screen is that of a new start, and the thread begins with the same message',
  ],
  [
    'A coach names the key of a command after the third time that it was run by a longer way, and never again',
    'commands/coach.test.ts',
    'the palette',
  ],
  [
    'The switcher lists conversations that are opened often and lately first, after unread ones',
    'state/search/switcher.test.ts',
    'in the order of use',
  ],
  [
    'The guide of the demo gives a task, sees it done and goes on',
    'server/demo/guide.test.ts',
    'notices each task that is done, in order, and says when that was all',
  ],
  [
    'The footer keeps F1 and Esc where there is no room for all keys',
    'view/states.test.ts',
    'leaves out what does not fit, and never the hints that have to stay',
  ],
  [
    'The help and the palette are one list, searched by title, key, id and slash name',
    'commands/help.test.ts',
    'contain all commands once, those of the pane first',
  ],
  [
    'Commands that were used lately and often come first',
    'commands/help.test.ts',
    'runs the command in its pane, and lists it under Recent from then on',
  ],
  [
    'A command that cannot run says why',
    'ui/overlays.test.tsx',
    'says why a command cannot run, in its row and in full below the rows',
  ],
  [
    'A click selects, or presses a chip, a link, a view, a day line, a count of the header or a hint of the footer',
    'ui/pane-mouse.test.tsx',
    '%s: %s',
  ],
  ['The right button opens the menu of what is under it', 'ui/pane-mouse.test.tsx', 'on %s opens %s'],
  [
    'The wheel scrolls what is under the pointer, also in overlays',
    'ui/overlay-mouse.test.tsx',
    'the wheel moves what it shows',
  ],
  [
    'A click beside an overlay closes it and reaches nothing below',
    'ui/overlay-mouse.test.tsx',
    'a click beside it closes it and reaches nothing below',
  ],
  ['The keys line of an overlay can be clicked', 'ui/overlay-mouse.test.tsx', 'the keys below it can be clicked'],
  [
    'A drag in the composer selects text',
    'ui/pane-mouse.test.tsx',
    'selects by a drag, also backwards and beyond the text',
  ],
  [
    'Links are given to the terminal as OSC 8, so that it can open them itself, also over ssh',
    'journeys/markdown.journey.ts',
    'draws formatted text, uncovers spoilers when the message is selected, and shows the text as typed on demand',
  ],
  [
    'A key turns the mouse off, and msg-tui says once how the terminal selects text',
    'ui/pane-mouse.test.tsx',
    'a drag that selects nothing says once how the terminal selects text',
  ],
];

const keys = [
  [
    'A key may be a sequence of keys, which waits without a limit of time; Esc cancels it, and letters that no key follows are text',
    'commands/sequences.test.ts',
    'that is not completed becomes text, however slowly its letters came',
  ],
  [
    'Half a second after the first keys of a sequence, the footer shows those that may follow',
    'commands/sequences.test.ts',
    'shows the keys that may follow after half a second, and the usual keys again at the end',
  ],
  [
    'The profiles standard, vim and emacs have no conflict and a key for every command',
    'commands/profiles/profiles.test.ts',
    'has no conflict, and no key for a command that does not exist',
  ],
  ['Counts before moves in the profile vim', 'commands/sequences.test.ts', 'repeats a move'],
  [
    'Keys and macros by command id in config.toml; what is wrong is named in one line each',
    'cli/config/key-problems.test.ts',
    'reports each wrong id, key and conflict in one line',
  ],
  [
    'A macro runs commands one after the other and stops at the first that cannot run',
    'commands/repeat.test.ts',
    'stops at the first command that cannot run, and says so',
  ],
  [
    '`.` repeats the last action on another message or conversation',
    'commands/repeat.test.ts',
    'mutes for the same time',
  ],
  [
    '`doctor --keys` finds out which keys a terminal loses; other keys of the command are shown instead',
    'cli/health/try-keys.test.ts',
    'another key of the command is shown in place of a lost one',
  ],
  [
    'The profile `vim` has insert, normal and visual mode in the composer, and the border says which',
    'view/vim-modes.test.ts',
    'names the mode and the keys of a command that is not complete',
  ],
  [
    'In normal mode a sentence that was typed by mistake stays in the draft, and `u` brings everything back',
    'commands/vim.test.ts',
    'stays in the draft, acts on nothing else, and is undone',
  ],
  [
    'The help gives a command another key: the next one that is pressed',
    'commands/help.test.ts',
    'takes a free key at once',
  ],
  [
    'What a key means already is named before it is taken',
    'commands/help.test.ts',
    'shows other meanings first; Enter then takes the key from them, and not at once',
  ],
  [
    'The new key is written into config.toml, whose comments stay',
    'cli/chat/save-keys.test.ts',
    'writes the keys into the file and leaves the rest of it',
  ],
];

const commandLine = [
  [
    '`send` queues its message for the chat that is open',
    'cli/messages/send.test.ts',
    'the command ends once the message is on disk, and the chat sends it',
  ],
  [
    'Without a chat, `send` sends the message itself, or keeps it queued with exit code 4',
    'cli/messages/send.test.ts',
    'the message stays queued with 4, and the next command sends it first',
  ],
  [
    'Many `send`s at once send each message once',
    'journeys/send-command.journey.ts',
    'many programs run at once beside an open chat, and each message is sent once',
  ],
  [
    'A `send` that is killed leaves a message that is never sent twice',
    'journeys/send-command.journey.ts',
    'a command that is killed while it sends leaves its message to the next one, and nothing is sent twice',
  ],
  [
    '`edit`, `react` and `delete` change one message',
    'cli/messages/changes.test.ts',
    'can be edited, reacted to and deleted, and the same command again changes nothing',
  ],
  [
    '`pin`, `mute` and `archive` change one conversation, and `new` starts one',
    'cli/messages/changes.test.ts',
    'can be pinned, muted and archived, also for a time, and each can be undone',
  ],
  [
    '`drafts` lists, prints, replaces and clears the texts in the composers',
    'cli/messages/changes.test.ts',
    'drafts are listed, printed, replaced and cleared',
  ],
  [
    '`outbox` lists what waits, and retries, edits and discards it',
    'cli/messages/changes.test.ts',
    'is listed; one message is rewritten, one discarded, and the rest sent in order',
  ],
  [
    'A conversation is named by its id, the beginning of its id, a name, `@username` or `#group`; an ambiguous name lists what it may mean',
    'cli/names/names.test.ts',
    'an ambiguous name is a usage error with its candidates, an unknown name is not found',
  ],
  [
    '`conversations` lists the views of the chat, with unread counts and last messages',
    'cli/messages/reading.test.ts',
    'lists names, unread counts and last messages on the first run',
  ],
  [
    'Without the server, the cached copy is printed with its age and exit code 4',
    'cli/messages/reading.test.ts',
    'without the server the cached list is printed with its age, and the exit code is 4',
  ],
  [
    '`read` prints messages and marks nothing as read unless `--mark-read` is given',
    'cli/messages/reading.test.ts',
    'prints messages oldest first, finds names that only messages have, and marks nothing as read',
  ],
  [
    '`unread` prints the number of the header, without a request',
    'cli/messages/reading.test.ts',
    'unread counts what the screen counts, without a request',
  ],
  [
    '`unread` takes hardly more processor time than `--version`',
    'journeys/reading-commands.journey.ts',
    'unread takes hardly more processor time than --version',
  ],
  [
    'A search takes phrases, excluded words and operators: `from:ann has:link after:monday`',
    'state/search/search-query.test.ts',
    'has operators in any case, negated by a minus, with a phrase as value',
  ],
  [
    '`profiles rename` and `profiles remove` lose nothing that is unsent',
    'cli/accounts/change-profiles.test.ts',
    'remove takes the token, the messages and the lines of config.toml, and unsent texts only when told to',
  ],
  [
    '`search` finds words in the cached messages and says how much was searched',
    'cli/messages/reading.test.ts',
    'search prints the messages found, and how much was searched',
  ],
  [
    '`tail` prints new messages and changes, one JSON object a line',
    'cli/messages/reading.test.ts',
    'prints messages and changes of a conversation, one object a line, while a chat reads the same one',
  ],
  [
    '`tail` follows several conversations or `--all`, and says of each message which one it is from',
    'cli/messages/reading.test.ts',
    'says of each message which conversation it is from',
  ],
  [
    '`wait` ends when a message arrives',
    'cli/messages/reading.test.ts',
    'ends with the first new message that matches, and not with an older one',
  ],
  [
    'JSON documents have a schema and the fields of docs/json.md; an error is a document on stderr',
    'cli/output/output.test.ts',
    'is a document if JSON is wanted',
  ],
  [
    'Output in a pipe has no colours and ends quietly with `head`; on a terminal it fits into its width',
    'journeys/reading-commands.journey.ts',
    'reading commands work in pipes, on a narrow terminal, and in a status bar',
  ],
  [
    'bash, zsh, fish and PowerShell complete commands, options, choices, settings, files and names',
    'cli/completion/complete.test.ts',
    'every command that is not hidden is offered, and so is every option of each',
  ],
  [
    'Names that other people have chosen are one word in the shell, and nothing of them is run',
    'journeys/shell-completion.journey.ts',
    'bash inserts names as one word, whatever they contain, and runs nothing',
  ],
  [
    'A man page with every command, option, variable and setting',
    'cli/help/man-page.test.ts',
    'the manual page has every command, option, variable and setting',
  ],
  [
    'The help lists every environment variable that the program reads',
    'cli/help/help.test.ts',
    'every variable that the program reads is listed',
  ],
];

const reports = [
  [
    '`ledger` prints every request with time, host, path, status, bytes and reason, and sums of them',
    'cli/reports/bug.test.ts',
    'ledger prints lines, sums and JSON, of one host and since a time',
  ],
  [
    'With the default settings every request goes to one host',
    'ledger.test.ts',
    'with the default settings every request of a session goes to one host, and is in the ledger without content',
  ],
  [
    '`bug` makes a report without texts, names, tokens and addresses, and prints it before it writes it',
    'cli/reports/bug.test.ts',
    'the report has what is needed, and no text that a person has written',
  ],
  [
    '`--debug-log FILE` on every command, without texts and tokens',
    'cli/debug-log.test.ts',
    'the log has requests, the outbox and errors as lines of JSON, and no text, name or token',
  ],
  [
    'Hooks run a program of the user on arrival, mention and failure',
    'cli/hooks/hooks.test.ts',
    'a command reads JSON, has no token in its environment, and gets all messages',
  ],
  [
    '`hooks test` says what would have run a hook, and runs nothing',
    'cli/hooks/hooks.test.ts',
    'hooks test lists from the cache what would have run, each message at its own time, and runs nothing',
  ],
];

const freshness = [
  [
    'Polls follow the rhythm of each conversation, within the hourly number of `polling`: calm, normal or eager',
    'sync/poll/pace.test.ts',
    'is kept over a day in which somebody writes all the time: %s',
  ],
  [
    'In exchanges, the median and the 95 % age of messages are three times fresher than with as many polls at fixed times',
    'sync/poll/freshness.test.ts',
    '%s: answers are shown three times as soon, also in the 95th percentile',
  ],
  [
    'The list and the open conversation are asked in turn',
    'sync/poll/at-rest.test.ts',
    'the list and the open conversation are requested in turn, at equal intervals',
  ],
  [
    '`polling` counts at once when it is changed',
    'sync/poll/at-rest.test.ts',
    'a change of the setting takes effect at once',
  ],
  [
    'Where the server holds a request until there is news, a message is shown within a tenth of a second',
    'sync/poll/list/held-request.test.ts',
    'a message is shown within a tenth of a second, in the open conversation and in the list',
  ],
  [
    'Nothing waits for a request that the server holds',
    'sync/poll/list/held-request.test.ts',
    'a held request delays neither sending nor opening a conversation',
  ],
  [
    'The first requests after a start are conditional too',
    'sync/poll/restart.test.ts',
    'are conditional, and what is stored stays when nothing has changed',
  ],
  ['The header shows when the server last confirmed what is shown', 'view/states.test.ts', 'shows %j'],
  [
    '`/freshness` and `status` report the age of what was shown in the last day',
    'journeys/freshness.journey.ts',
    'the chat and status report the age of what was shown',
  ],
];

const archive = [
  [
    'Export of one conversation or all as JSON Lines, which gives the same bytes after an import',
    'cli/archive/jsonl.test.ts',
    'for made-up conversations',
  ],
  [
    'Export as Markdown in which no text becomes markup',
    'cli/archive/readable.test.ts',
    'Markdown puts the text in a block that it cannot end',
  ],
  [
    'Export as one HTML file without scripts',
    'cli/archive/readable.test.ts',
    'HTML has no script, nothing to fetch from other addresses, and all text escaped',
  ],
  [
    'An incremental export adds what is new or changed',
    'cli/archive/jsonl.test.ts',
    'adds what is new or changed, with hashes that go on, and adds nothing if nothing changed',
  ],
  ['Hashes name the line that was changed', 'cli/archive/jsonl.test.ts', 'name the line that was changed'],
  [
    'A line of the export says which messages are missing',
    'cli/archive/jsonl.test.ts',
    'what is missing is reported, and what --since leaves out counts as missing',
  ],
  [
    '`--archive` opens an export or an import read-only, without the network',
    'cli/archive/archive-session.test.ts',
    'a JSON Lines file and what was imported from it are read, and cannot be changed',
  ],
  [
    '`conversations`, `read` and `search` have `--archive`, and need no account for it',
    'journeys/archive.journey.ts',
    'exported conversations are imported, and opened with --archive',
  ],
  [
    'In an archive every command that writes says why it cannot',
    'commands/archive.test.ts',
    'every command that writes is in the table, and says why it cannot run',
  ],
  [
    '`/export` writes the open conversation as Markdown',
    'commands/save-messages.test.ts',
    'the conversation is exported to a path that the user types',
  ],
];

const accounts = [
  [
    '`login` asks for server and token, checks them, and saves the token in the keyring or a file',
    'cli/accounts/login.test.ts',
    'asks for server and token, checks them with one request, and keeps the token in the keyring',
  ],
  [
    '`login --token-command` saves a command that prints the token, and never the token',
    'cli/accounts/login.test.ts',
    'a token command is run without a shell and saved; the token is saved nowhere',
  ],
  [
    '`logout` reports what it removed and kept; unsent text is removed with `--discard-unsent` only',
    'cli/accounts/login.test.ts',
    'logout removes token and cache and keeps what was not sent',
  ],
  [
    '`profiles` lists the accounts and chooses the default one',
    'cli/accounts/login.test.ts',
    'profiles lists the accounts and where their tokens are, and chooses the default one',
  ],
  [
    '`--profile` chooses the account of any command, before the environment',
    'config/account-flags.test.ts',
    'a profile of another server does not get the token of the environment',
  ],
  [
    'Accounts share nothing, also where servers use the same ids',
    'cli/accounts/isolation.test.ts',
    'two servers with the same ids and two users of one server share nothing',
  ],
  [
    "Another user's token for a profile is noticed before anything is sent",
    'cli/accounts/isolation.test.ts',
    'a token command that prints the token of another user is noticed, and nothing is sent with it',
  ],
  [
    '`/profile` goes to another account without leaving the program',
    'journeys/accounts.journey.ts',
    'the chat goes to another account and back',
  ],
];

export const features = [
  { room: 'List', lines: list },
  { room: 'Thread', lines: thread },
  { room: 'Composer', lines: composer },
  { room: 'Around it', lines: aroundIt },
  { room: 'Keys', lines: keys },
  { room: 'The command line', lines: commandLine },
  { room: 'Freshness', lines: freshness },
  { room: 'Reports and hooks', lines: reports },
  { room: 'Archive', lines: archive },
  { room: 'Accounts', lines: accounts },
];

const held = ([, file, title]) => (file === undefined ? 'not yet' : testCell(file, title));

export const featuresPage = () =>
  [
    '# Features\n\nWritten by `npm run docs` from `scripts/features.mjs`: what the screen does, and the test that holds it.\n',
    ...features.map(
      ({ room, lines }) =>
        `## ${room}\n\n| | test |\n|---|---|\n${lines.map((line) => `| ${line[0]} | ${held(line)} |`).join('\n')}\n`,
    ),
  ].join('\n');
