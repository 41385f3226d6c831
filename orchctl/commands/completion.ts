import type { Command } from '../command.js'
import { UsageError } from '../usage-error.js'

/** The shells ask the program itself, so that it offers what the server has. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_orchctl() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(orchctl __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace; fi
}
complete -o default -F _orchctl orchctl
`,
  zsh: `#compdef orchctl
_orchctl() {
  local -a candidates
  candidates=("\${(@f)$(orchctl __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -Q -- "\${candidates[@]}"; else _files; fi
}
compdef _orchctl orchctl
`,
  fish: `function __orchctl_complete
  set -l words (commandline --tokenize --current-process --cut-at-cursor)
  set -l current (commandline --current-token --cut-at-cursor)
  orchctl __complete -- $words[2..-1] "$current" 2>/dev/null
end
complete --command orchctl --no-files --arguments '(__orchctl_complete)'
complete --command orchctl --condition '__fish_contains_opt -s f filename' --force-files
`,
}

export const completion: Command = {
  name: 'completion',
  summary: 'Print the completion script of a shell.',
  usage: '(bash | zsh | fish)',
  examples: [
    ['Bash, in ~/.bashrc', 'completion bash >> ~/.bashrc'],
    ['Zsh, in a folder of $fpath', 'completion zsh > ~/.zfunc/_orchctl'],
    ['Fish', 'completion fish > ~/.config/fish/completions/orchctl.fish'],
  ],
  flags: [],
  completes: Object.keys(scripts),
  async run({ words, world }) {
    const script = scripts[words[0] ?? '']
    if (script === undefined) throw new UsageError(`name the shell: ${Object.keys(scripts).join(' or ')}`)
    world.write(script)
  },
}
