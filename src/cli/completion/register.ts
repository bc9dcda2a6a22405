/** `msg-tui completion`: prints the script for a shell. */
import { Argument, type Command } from 'commander';
import { type Shell, shells } from './scripts.ts';

const completionHelp = `
The script completes commands, options, settings and file names, and names of
conversations and people from the local cache, without asking the server. Let the
shell load it at each start:

  bash         eval "$(msg-tui completion bash)"     in ~/.bashrc
  zsh          source <(msg-tui completion zsh)      in ~/.zshrc, after compinit
  fish         msg-tui completion fish | source      in config.fish
  powershell   msg-tui completion powershell | Out-String | Invoke-Expression
                                                     in $PROFILE

Or save it where the shell looks for it, and again after an update of msg-tui:

Examples:
  msg-tui completion bash > ~/.local/share/bash-completion/completions/msg-tui
  msg-tui completion zsh > "\${fpath[1]}/_msg-tui"
  msg-tui completion fish > ~/.config/fish/completions/msg-tui.fish

Exit codes: 0 ok · 2 usage
`;

export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes msg-tui in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', completionHelp)
    .action(async (shell: Shell) => {
      const { scripts } = await import('./scripts.ts');
      process.stdout.write(scripts[shell]);
    });
}
