/** A chat server on loopback for the IRC clients that serve as a measure: whoever joins is sent a channel full of messages. */
import { createServer, type Socket } from 'node:net';
import { createDice } from './statistics.ts';
import { lastIrcLine } from './world.ts';

const words =
  'the ferry leaves at nine and we meet on the pier with coffee if the wind allows maybe later or never'.split(' ');
const nicks = Array.from({ length: 30 }, (_, i) => `user${String(i).padStart(2, '0')}`);

const lines = Number(process.argv[2] ?? '1000');

async function flood(socket: Socket, channel: string): Promise<void> {
  const dice = createDice(7);
  for (let i = 0; i < lines; i += 500) {
    let part = '';
    for (let n = i; n < Math.min(lines, i + 500); n++) {
      const text = Array.from({ length: 3 + dice(22) }, () => words[dice(words.length)]).join(' ');
      part += `:${nicks[dice(nicks.length)]}!u@h PRIVMSG ${channel} :${n} ${text}\r\n`;
    }
    if (!socket.write(part)) await new Promise((resolve) => socket.once('drain', resolve));
  }
  socket.write(`:${nicks[0]}!u@h PRIVMSG ${channel} :${lastIrcLine}\r\n`);
}

function answer(socket: Socket, line: string, client: { nick: string }): void {
  const [command = '', first = '', second = ''] = line.trim().split(' ');
  const say = (text: string): void => void socket.write(`${text}\r\n`);
  const { nick } = client;
  switch (command.toUpperCase()) {
    case 'CAP':
      if (first.toUpperCase() === 'LS') say(':srv CAP * LS :');
      return;
    case 'NICK':
      client.nick = first.replace(/^:/, '');
      return;
    case 'USER':
      say(`:srv 001 ${nick} :Welcome`);
      say(`:srv 005 ${nick} CHANTYPES=# PREFIX=(ov)@+ :are supported`);
      say(`:srv 376 ${nick} :End of MOTD`);
      return;
    case 'PING':
      say(`:srv PONG srv ${first}`);
      return;
    case 'JOIN': {
      const channel = first.replace(/^:/, '').split(',')[0] ?? '';
      if (!channel.startsWith('#')) return;
      say(`:${nick}!u@h JOIN ${channel}`);
      say(`:srv 353 ${nick} = ${channel} :${nick} ${nicks.join(' ')}`);
      say(`:srv 366 ${nick} ${channel} :End of NAMES`);
      void flood(socket, channel);
      return;
    }
    case 'MODE':
      if (first.startsWith('#')) say(`:srv 324 ${nick} ${first} +nt`);
      return;
    case 'WHO':
      say(`:srv 315 ${nick} ${first || second} :End`);
      return;
    case 'QUIT':
      socket.end();
  }
}

const server = createServer((socket) => {
  const client = { nick: 'me' };
  let rest = '';
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    const parts = (rest + data.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) answer(socket, line, client);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`);
});
