/** Reads the text that a command prints below its options. */
import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';

/** The names of the command and its parents, such as `config set`; '' for the program itself. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${pathOf(parent)} ${command.name()}`.trim();
}

/** The text below the options, which commander keeps as listeners of an event. */
export function afterText(command: Command): string {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  (command as unknown as EventEmitter).emit('afterHelp', { error: false, command, write });
  return text.trim();
}

/** A part of the text between empty lines; the title is what is before the colon of its first line, or ''. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

export function sectionsOf(text: string): readonly Section[] {
  return text.split(/\n{2,}/).map((part) => {
    const lines = part.split('\n');
    return { title: /^(Examples?|Exit codes):/.exec(lines[0] ?? '')?.[1] ?? '', lines };
  });
}
