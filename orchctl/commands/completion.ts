import { ownValue } from 'orch/sdk'
import type { Command } from '../command.js'
import { UsageError } from '../usage-error.js'
import { shellScripts } from './completion/shell-scripts.js'

export const completion: Command = {
  name: 'completion',
  summary: 'Print the completion script of a shell.',
  usage: '(bash | zsh | fish | powershell)',
  examples: [
    ['Bash, in ~/.bashrc', 'completion bash >> ~/.bashrc'],
    ['Zsh, in a folder of $fpath', 'completion zsh > ~/.zfunc/_orchctl'],
    ['PowerShell, in $PROFILE', 'completion powershell | Out-String | Invoke-Expression'],
    ['Fish', 'completion fish > ~/.config/fish/completions/orchctl.fish'],
  ],
  flags: [],
  completes: Object.keys(shellScripts),
  async run({ args, terminal }) {
    const script = ownValue(shellScripts, args[0] ?? '')
    if (script === undefined) throw new UsageError(`name the shell: ${Object.keys(shellScripts).join(' or ')}`)
    terminal.write(script)
  },
}
