/** `serve user` and `serve contact`: the people of the server. */
import type { Command } from 'commander';
import type { Admin } from '../../server/rules/admin.ts';
import { administer } from './administer.ts';
import { printPerson } from './output.ts';

export function registerPeople(serve: Command): void {
  const kinds = [
    { name: 'user', describe: 'people who may sign in', list: (admin: Admin) => admin.users(), add: 'createUser' },
    {
      name: 'contact',
      describe: 'people who can be written to',
      list: (admin: Admin) => admin.contacts(),
      add: 'createContact',
    },
  ] as const;
  for (const kind of kinds) {
    const command = serve.command(kind.name).description(kind.describe);
    command
      .command('add <username>')
      .description('add one and print its id')
      .option('--phone <number>', 'phone number', '')
      .option('--avatar <url>', 'address of a picture', '')
      .action((username: string, { phone, avatar }: { phone: string; avatar: string }) =>
        administer(serve, async (admin) =>
          printPerson(await admin[kind.add]({ username, phoneNumber: phone, avatarUrl: avatar })),
        ),
      );
    command
      .command('list')
      .description('print id and name of each')
      .action(() => administer(serve, async (admin) => (await kind.list(admin)).forEach(printPerson)));
  }
}
