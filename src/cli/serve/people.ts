/** `serve user` and `serve contact`: manages the people of the server. */
import type { Command } from 'commander';
import type { Admin, PersonDetails } from '../../server/rules/admin.ts';
import { confirm } from '../input/confirm.ts';
import { administer } from './administer.ts';
import { type ListOptions, oneLine, print, printPeople, printPerson } from './output.ts';

const kinds = [
  { name: 'user', describe: 'people who may sign in', list: (admin: Admin) => admin.users(), add: 'createUser' },
  {
    name: 'contact',
    describe: 'people who can be written to',
    list: (admin: Admin) => admin.contacts(),
    add: 'createContact',
  },
] as const;

export function registerPeople(serve: Command): void {
  for (const { name, describe, list, add } of kinds) {
    const command = serve.command(name).description(describe);
    command
      .command('add <username>')
      .description(`add a ${name}, and print the id`)
      .option('--phone <number>', 'phone number')
      .option('--avatar <url>', 'address of a picture')
      .action((username: string, options: PersonOptions) =>
        administer(serve, async (admin) => printPerson(await admin[add](detailsOf(username, options))), {
          mayCreate: true,
          check: async () => (await import('../../server/rules/named.ts')).checkUsername(username),
        }),
      );
    command
      .command('list')
      .description(`print the id and the name of every ${name}`)
      .option('--json', 'print one JSON document')
      .action((options: ListOptions) =>
        administer(serve, async (admin) => printPeople(`${name}s`, await list(admin), options)),
      );
    command
      .command('rename <username> <new-name>')
      .description('change a username; messages and reactions show the new one')
      .action((username: string, newName: string) =>
        administer(serve, async (admin) => printPerson(await admin.renamePerson(name, username, newName))),
      );
    registerRemoval(serve, command, name);
  }
}

interface PersonOptions {
  readonly phone?: string;
  readonly avatar?: string;
}

/** A contact who becomes a user keeps what is not given. */
const detailsOf = (username: string, { phone, avatar }: PersonOptions): PersonDetails => ({
  username,
  ...(phone === undefined ? {} : { phoneNumber: phone }),
  ...(avatar === undefined ? {} : { avatarUrl: avatar }),
});

function registerRemoval(serve: Command, command: Command, kind: 'user' | 'contact'): void {
  const removal = command.command('remove <username>');
  if (kind === 'contact')
    removal
      .description('remove a contact who has no messages or reactions')
      .action((username: string) => administer(serve, (admin) => admin.removeContact(username)));
  else
    removal
      .description('revoke all tokens of a user, and delete their conversations; a contact remains')
      .action((username: string) => administer(serve, (admin) => removeUser(admin, username)));
}

async function removeUser(admin: Admin, username: string): Promise<void> {
  const person = await admin.person(username);
  const name = oneLine(person.username);
  await confirm(`Revoke all tokens of ${name} and delete their conversations? They cannot be brought back.`);
  const { tokens, conversations } = await admin.removeUser(username);
  print(`${person.id}\t${name}\ttokens: ${tokens}\tconversations: ${conversations}`);
}
