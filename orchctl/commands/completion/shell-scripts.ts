/**
 * Completion scripts that call the program, so that they can offer names from the server. If the program has no candidates, the
 * shell offers files.
 */
export const shellScripts: Readonly<Record<string, string>> = {
  // Bash splits arguments at = and : (`--namespace=a`, `system:node`). They are joined again for the program, and of its
  // candidates bash gets only the part after the last split.
  bash: `_orchctl() {
  local word line trimmed current breaks='' rest=$COMP_LINE
  local -a words=()
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    trimmed="\${rest#"\${rest%%[![:space:]]*}"}"
    if [[ \${#words[@]} -eq 0 || $trimmed != "$rest" ]]; then words+=("$word"); else words[\${#words[@]}-1]+=$word; fi
    rest=\${trimmed#"$word"}
  done
  current=\${words[\${#words[@]}-1]}
  if [[ $current == *[=:]* ]]; then breaks=\${current%"\${current##*[=:]}"}; fi
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line#"$breaks"}")
  done < <(orchctl __complete -- "\${words[@]:1}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace; fi
}
complete -o default -F _orchctl orchctl
`,
  // Works both with \`source\` and from a folder of $fpath, where the first call of the function loads the file.
  zsh: `#compdef orchctl
_orchctl() {
  local -a candidates open
  candidates=("\${(@f)$(orchctl __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( ! $#candidates )); then
    if [[ $PREFIX == -*=* ]]; then compset -P '*='; fi
    _files
    return
  fi
  open=("\${(@M)candidates:#*[=/]}")
  candidates=("\${(@)candidates:#*[=/]}")
  (( $#open )) && compadd -Q -S '' -- "\${open[@]}"
  (( $#candidates )) && compadd -Q -- "\${candidates[@]}"
}
if [[ $funcstack[1] == _orchctl ]]; then _orchctl "$@"; else compdef _orchctl orchctl; fi
`,
  fish: `function __orchctl_complete
  set -l words (commandline --tokenize --current-process --cut-at-cursor)
  set -l current (commandline --current-token --cut-at-cursor)
  set -l candidates (orchctl __complete -- $words[2..-1] "$current" 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else if set -l parts (string match --regex '^(-[^=]*=)(.*)$' -- "$current")
    for path in (__fish_complete_path "$parts[3]")
      echo "$parts[2]$path"
    end
  else
    __fish_complete_path "$current"
  end
end
complete --command orchctl --no-files --arguments '(__orchctl_complete)'
`,
  // The cursor may be inside a word; the text after it is ignored.
  powershell: `Register-ArgumentCompleter -Native -CommandName orchctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
    ForEach-Object { $_.ToString() } |
    Select-Object -Skip 1)
  if ($wordToComplete -eq '') { $words += '""' } else { $words[-1] = $wordToComplete }
  orchctl __complete '--' @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
}
