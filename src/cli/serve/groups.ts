/** `serve group`: groups and their members. */
import type { Command } from 'commander';
import { administer } from './administer.ts';
import { print, printPerson } from './output.ts';

export function registerGroups(serve: Command): void {
  const command = serve.command('group').description('groups and their members');
  command
    .command('add <name> [members...]')
    .description('make a group of these people and print its id')
    .action((name: string, members: string[]) =>
      administer(serve, async (admin) => print(`${(await admin.createGroup(name, members)).id}\t${name}`)),
    );
  command
    .command('list')
    .description('print id and name of each')
    .action(() =>
      administer(serve, async (admin) => {
        for (const group of await admin.groups()) print(`${group.id}\t${group.name}`);
      }),
    );
  command
    .command('members <name> [add...]')
    .description('add people to a group, or list who is in it')
    .action((name: string, add: string[]) =>
      administer(serve, async (admin) => {
        for (const username of add) await admin.addMember(name, username);
        for (const member of await admin.members(name)) printPerson(member);
      }),
    );
}
