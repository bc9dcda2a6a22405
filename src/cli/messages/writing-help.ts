/** Has the texts below the options in the help of the commands that write. */

const codes = `
Exit codes: 0 sent, or queued where a chat is open · 1 refused, or unsure
            2 usage · 3 not signed in · 5 not found · 6 forbidden
            4 server not reached; the error says whether it stays queued
            130 interrupted · 143 terminated
`;

const queueing = `
The change is saved on disk first. Where a chat is open on the profile, that one
sends it. Otherwise this command does, for at most --timeout; what could not be
sent then stays queued until the chat is opened or another command changes
something; msg-tui outbox retry sends it as well.
`;

export const sendHelp = `${queueing}
Prints the id of the message once the server has it.

Examples:
  msg-tui send ann "The ferry leaves at nine"
  git log -3 | msg-tui send '#crew' -
  msg-tui send ann --attach https://files.example/plan.pdf --wait
  msg-tui send ann "Agreed" --reply 8fa3c210
${codes}`;

export const editHelp = `${queueing}
Examples:
  msg-tui edit ann last "The ferry leaves at ten"
${codes}`;

export const reactHelp = `${queueing}
On some servers, a change to a message removes what is not sent with it. Until
msg-tui knows that this server keeps the text, the files and the reactions of
others, the command changes nothing where they are at risk, and ends with 1.
--yes reacts anyway; msg-tui then restores what the server allows.

Examples:
  msg-tui react ann last heart
  msg-tui react ann 8fa3c210 👍 --remove
${codes}`;

export const deleteHelp = `${queueing}
On a terminal the command asks first. A conversation is deleted with all its messages and
cannot be brought back. Whether the others keep theirs is up to the server; msg-tui serve
leaves it to them. To take a conversation out of the list and keep it, use msg-tui archive.

Examples:
  msg-tui delete ann last --yes
  msg-tui delete ann --conversation
${codes}`;

export const newHelp = `${queueing}
The service lists neither people nor groups. A first conversation needs the id,
which whoever runs the server can give you. A person who has written in one of
your conversations is also found by name or @username.

Prints the id of the conversation; one that is there already is not made again.
With a text, prints the id of the message.

Examples:
  msg-tui new 8fa3c210 "Hello Ann"
  msg-tui new @ann "Hello Ann"
  msg-tui new 5f2c77a1 --group
${codes}`;

export const pinHelp = `${queueing}
Examples:
  msg-tui pin ann
  msg-tui pin ann --message last
  msg-tui pin ann --off
${codes}`;

export const muteHelp = `${queueing}
With --for, a chat that is open at that time unmutes it, or else the next msg-tui
that sends.

Examples:
  msg-tui mute '#crew' --for 8h
  msg-tui mute '#crew' --off
${codes}`;

export const archiveHelp = `${queueing}
Examples:
  msg-tui archive ann
  msg-tui archive ann --off
${codes}`;

export const draftsHelp = `
While a message is edited in a conversation, show prints the text of the edit, and
clear ends the edit: what was written before it is the draft again.

Examples:
  msg-tui drafts
  msg-tui drafts list --json
  msg-tui drafts show ann
  msg-tui drafts set ann "to be finished"
  msg-tui drafts clear ann

Exit codes: 0 ok · 1 failure · 2 usage · 3 not signed in · 4 server not reached
            5 not found · 130 interrupted · 143 terminated
`;

export const draftListHelp = `
Example:
  msg-tui drafts list --json

Exit codes: 0 ok · 1 failure · 2 usage · 3 not signed in
`;

export const outboxListHelp = `
Example:
  msg-tui outbox list --json

Exit codes: 0 ok · 1 failure · 2 usage · 3 not signed in
`;

export const outboxDiscardHelp = `
Example:
  msg-tui outbox discard 1b9d2c3e

Exit codes: 0 discarded · 1 it is being sent, or failure
            2 usage, or an ambiguous name · 3 not signed in · 5 not found
`;

export const outboxHelp = `
A message is unsure when its answer did not come: it may have arrived. It is
looked for in the history, and sent again only when you say so and it was not
found there. Without a name, retry goes on after one that is refused, and ends
with the exit code of the first refusal.

A damaged record is listed as unreadable, with what is left of its text. It is
never sent; discard removes it.

Examples:
  msg-tui outbox
  msg-tui outbox list --json
  msg-tui outbox retry            send what is queued, find what is unsure
  msg-tui outbox retry 1b9d2c3e   try one again, also one that was refused
  msg-tui outbox edit 1b9d2c3e "another text"
  msg-tui outbox discard 1b9d2c3e
${codes}`;
