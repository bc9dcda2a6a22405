/**
 * Has the scripts that a shell reads. Each hands the half-typed line to `msg-tui __complete SHELL`, which prints `words`,
 * `files` or `directories`, and then one candidate a line, with a tab before what it is. A script never evaluates a candidate:
 * names are chosen by other people.
 */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** The character between the words of a line that the shell itself has split. */
export const wordSeparator = '\x1f';

// Bash replaces only what is after the last of COMP_WORDBREAKS; the program knows this, and quotes for bash.
const bash = `# Completion of msg-tui for bash.
_msg_tui() {
  local line
  local -a reply=()
  COMPREPLY=()
  while IFS= read -r line; do
    reply+=("$line")
  done < <(command msg-tui __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  case "\${reply[0]-}" in
    files) compopt -o default 2>/dev/null ;;
    directories) compopt -o dirnames 2>/dev/null ;;
    words) COMPREPLY=("\${reply[@]:1}") ;;
  esac
}
complete -F _msg_tui msg-tui
`;

const zsh = `#compdef msg-tui
# Completion of msg-tui for zsh.
_msg_tui() {
  local line tab=$'\\t'
  local -a typed reply values shown
  typed=("\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}")
  reply=("\${(@f)$(command msg-tui __complete zsh "\${(pj:\\x1f:)typed}" 2>/dev/null)}")
  case "\${reply[1]}" in
    files) _files ;;
    directories) _files -/ ;;
    words)
      for line in "\${(@)reply[2,-1]}"; do
        values+=("\${line%%$tab*}")
        shown+=("\${line/$tab/  -- }")
      done
      (( $#values )) && compadd -l -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -d shown -a -- values
      ;;
  esac
}
if [[ "\${funcstack[1]}" == _msg-tui ]]; then _msg_tui; else compdef _msg_tui msg-tui; fi
`;

const fish = `# Completion of msg-tui for fish.
function __msg_tui_complete
    set -l typed (commandline -opc)
    set -l word (string replace -r '^["\\']' '' -- (commandline -ct) | string replace -ra '\\\\\\\\(.)' '$1')
    set -l reply (command msg-tui __complete fish (string join \\x1f -- $typed "$word") 2>/dev/null)
    set -l kind $reply[1]
    set -e reply[1]
    switch "$kind"
        case files
            __fish_complete_path (commandline -ct)
        case directories
            __fish_complete_directories (commandline -ct)
        case words
            test (count $reply) -gt 0; and printf '%s\\n' $reply
    end
end
complete -c msg-tui -f -a '(__msg_tui_complete)'
`;

const powershell = `# Completion of msg-tui for PowerShell.
Register-ArgumentCompleter -Native -CommandName 'msg-tui' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { if ($null -ne $_.Value) { [string]$_.Value } else { $_.Extent.Text } })
    $line = (@($typed) + $wordToComplete.TrimStart("'", '"')) -join [char]0x1f
    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)
        $reply = @(msg-tui __complete powershell $line 2>$null)
    } finally {
        [Console]::OutputEncoding = $encoding
    }
    if ($reply.Count -eq 0 -or $reply[0] -ne 'words') { return }
    $reply | Select-Object -Skip 1 | ForEach-Object {
        $text, $shown, $about = $_ -split "\`t", 3
        [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $about)
    }
}
`;

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
