/**
 * Has the texts below the options in the help of the program and of `demo`, `keys`, `paths` and `serve`, and the short
 * help where there is no terminal.
 */

export const rootHelp = `
Examples:
  msg-tui                open the chat; without an account, the welcome screen
  msg-tui demo           try it on a built-in server with people who answer
  msg-tui conversations --view unread
  msg-tui send ann "The ferry leaves at nine"
  MSG_TUI_SERVER=https://chat.example MSG_TUI_TOKEN=… msg-tui
  msg-tui serve --data chat.db --listen 127.0.0.1:8787

Exit codes:
  0 ok · 1 failure · 2 usage · 3 not signed in, or token refused
  4 server not reached · 5 not found · 6 forbidden
  130 interrupted · 143 terminated

More:
  msg-tui help COMMAND       the options, examples and exit codes of a command
  msg-tui help environment   the environment variables
  msg-tui help files         where configuration, data and cache are
`;

export const shortHelp = `the chat needs a terminal

Usage: msg-tui [options] [command]

  msg-tui demo            try the chat on a built-in server
  msg-tui conversations   list conversations, in a script too
  msg-tui --help          list all commands
`;

export const demoHelp = `
Everything is in a temporary folder, which is removed at the end.

Examples:
  msg-tui demo
  msg-tui demo --ascii

Exit codes: 0 ok · 1 failure · 2 usage · 130 interrupted · 143 terminated
`;

export const keysHelp = `
Examples:
  msg-tui keys
  msg-tui keys --profile vim --format markdown
  msg-tui keys --check

Exit codes: 0 ok · 1 config.toml cannot be read or, with --check, its keys are wrong · 2 usage
`;

export const pathsHelp = `
Examples:
  msg-tui paths
  msg-tui paths --json | jq -r .config

Exit codes: 0 ok · 2 usage
`;

export const serveHelp = `
Examples:
  msg-tui serve --data chat.db
  msg-tui serve --data chat.db --listen 127.0.0.1:0
  msg-tui serve --data chat.db --admin-listen 127.0.0.1:8788 --log-requests
  msg-tui serve --data chat.db user add ann
  msg-tui serve --data chat.db user list
  msg-tui serve --data chat.db user rename ann anna
  msg-tui serve --data chat.db user remove ann
  msg-tui serve --data chat.db contact add bob
  msg-tui serve --data chat.db contact list
  msg-tui serve --data chat.db contact rename bob robert
  msg-tui serve --data chat.db contact remove bob
  msg-tui serve --data chat.db token add ann --out token.txt
  msg-tui serve --data chat.db token list
  msg-tui serve --data chat.db token revoke e1rs8nZcQx4hT0aB
  msg-tui serve --data chat.db group add crew ann bob
  msg-tui serve --data chat.db group list
  msg-tui serve --data chat.db group rename crew harbour
  msg-tui serve --data chat.db group remove crew
  msg-tui serve --data chat.db group members crew
  msg-tui serve --data chat.db group members crew --remove bob
  msg-tui serve --data chat.db seed people.json
  msg-tui serve --data chat.db backup chat-backup.db
  msg-tui serve --data chat.db restore chat-backup.db
  msg-tui serve --database postgres://chat@db.example/chat
  msg-tui serve --data chat.db migrate
  msg-tui serve copy --from chat.db --to postgres://chat@db.example/chat

Exit codes: 0 ok · 1 failure · 2 usage, or something that is not in the database
`;
