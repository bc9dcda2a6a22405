/**
 * Our server with a long message of each kind, for measuring: writes `listening URL TOKEN` on stdout; a kind on stdin is
 * said again by its sender.
 */
import { createInterface } from 'node:readline';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { startJourneyServer } from '../support/servers/journey-server.ts';
import { longTexts, pageTexts } from './long-texts.ts';

const [path = ''] = process.argv.slice(2);
const kinds = Object.keys(longTexts);

// The service takes no message as long as these; the database does.
const server = await startJourneyServer(path, {
  users: ['me', 'friend', ...kinds, ...Object.keys(pageTexts)].map((username) => ({ username })),
});
const database = openDatabase(path);
database.exec('CREATE TABLE long_texts (name TEXT PRIMARY KEY, text TEXT NOT NULL)');
for (const [name, text] of Object.entries(longTexts))
  database.prepare('INSERT INTO long_texts VALUES (?, ?)').run(name, text);
database.exec(`CREATE TRIGGER long AFTER INSERT ON messages WHEN NEW.text LIKE 'LONG %' BEGIN
  UPDATE messages SET text = (SELECT text FROM long_texts WHERE name = substr(NEW.text, 6)) WHERE seq = NEW.seq; END`);

async function say(kind: string): Promise<void> {
  await server.as(kind).send('me', `LONG ${kind}`);
}

for (const kind of kinds) {
  const sender = server.as(kind);
  await sender.start('me');
  for (let i = 0; i < 40; i++) await sender.send('me', `a short message of ${kind}, number ${i}`);
  await say(kind);
}
for (const [name, textOf] of Object.entries(pageTexts)) {
  const sender = server.as(name);
  await sender.start('me');
  for (let i = 0; i < 40; i++) await sender.send('me', textOf(i));
}
await server.as('friend').start('me');
await server.as('friend').send('me', 'the friend is here');

createInterface({ input: process.stdin }).on('line', (kind) => void say(kind));
process.stdout.write(`listening ${server.url} ${server.me.token}\n`);
