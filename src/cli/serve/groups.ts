/** `serve group`: manages groups and their members. */
import type { Command } from 'commander';
import type { Admin } from '../../server/rules/admin.ts';
import { confirm } from '../input/confirm.ts';
import { administer } from './administer.ts';
import { type ListOptions, oneLine, print, printJson, printPeople, timeOf } from './output.ts';

export function registerGroups(serve: Command): void {
  const command = serve.command('group').description('groups and their members');
  command
    .command('add <name> [members...]')
    .description('make a group of these people, and print its id')
    .action((name: string, members: string[]) =>
      administer(serve, async (admin) => print(`${(await admin.createGroup(name, members)).id}\t${name}`), {
        // In a new database there is nobody who could be a member.
        mayCreate: members.length === 0,
        check: async () => (await import('../../server/rules/named.ts')).checkGroupName(name),
      }),
    );
  command
    .command('list')
    .description('print the id and the name of every group')
    .option('--json', 'print one JSON document')
    .action((options: ListOptions) => administer(serve, (admin) => printGroups(admin, options)));
  command
    .command('rename <name> <new-name>')
    .description('give a group another name')
    .action((name: string, newName: string) => administer(serve, (admin) => admin.renameGroup(name, newName)));
  command
    .command('remove <name>')
    .description('delete a group, and its conversations and messages for everybody')
    .action((name: string) => administer(serve, (admin) => removeGroup(admin, name)));
  command
    .command('members <name> [add...]')
    .description('add people to a group, or remove them, and list who is in it')
    .option('--remove <people...>', 'take these people out of the group')
    .option('--json', 'print one JSON document')
    .action((name: string, add: string[], options: MemberOptions) =>
      administer(serve, (admin) => changeMembers(admin, name, add, options)),
    );
}

interface MemberOptions extends ListOptions {
  readonly remove?: readonly string[];
}

async function printGroups(admin: Admin, { json }: ListOptions): Promise<void> {
  const groups = await admin.groups();
  if (json === true)
    printJson(
      'groups',
      groups.map(({ id, name, created_at }) => ({ id, name, created_at: timeOf(created_at) })),
    );
  else for (const group of groups) print(`${group.id}\t${group.name}`);
}

async function removeGroup(admin: Admin, name: string): Promise<void> {
  const group = await admin.group(name);
  await confirm(`Delete ${oneLine(group.name)} and its messages for everybody? They cannot be brought back.`);
  print(`${group.id}\t${group.name}\tmessages: ${await admin.removeGroup(name)}`);
}

async function changeMembers(
  admin: Admin,
  name: string,
  add: readonly string[],
  options: MemberOptions,
): Promise<void> {
  const { remove = [] } = options;
  if (add.length + remove.length > 0) await admin.changeMembers(name, add, remove);
  printPeople('members', await admin.members(name), options);
}
