import { type Block, blocksOf } from './blocks.js'

/**
 * A page as one shell script: files are written where the reader is at that moment, commands are run, and a server that
 * a block starts runs until the next one or the end. `SERVER` and `DATA` are its address and folder. The only change is the port: any
 * free one, because other tests may run concurrently.
 */
export const pageScript = (markdown: string): string =>
  [preamble, ...blocksOf(markdown).map(stepOf), 'stop_server'].join('\n')

const preamble = `set -euo pipefail
server=
stop_server() {
  [ -n "$server" ] || return 0
  kill -- "-$server"
  wait "$server" || true
  server=
}
start_server() {
  stop_server
  : > "$SCRATCH/server.log" # here and now, or what the last one printed could be taken for this one's
  setsid "$@" > "$SCRATCH/server.log" 2>&1 &
  server=$!
  echo "$server" >> "$SCRATCH/servers"
  for _ in $(seq 600); do
    if grep -q '^ *curl ' "$SCRATCH/server.log"; then
      export SERVER=$(sed -n 's/^Serving at //p' "$SCRATCH/server.log")
      export DATA=$(dirname "$(sed -n 's/^Client config: //p' "$SCRATCH/server.log")")
      return
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
  done
  cat "$SCRATCH/server.log" >&2
  return 1
}
# What is installed already must not be installed again under everybody's feet: CI itself begins with it (.ci/run).
npm() { [ "$1" = ci ] || command npm "$@"; }
`

function stepOf({ purpose, file, code }: Block): string {
  if (purpose === 'file') return `cat > '${file}' <<'END OF FILE'\n${code}END OF FILE`
  if (purpose !== 'serve') return code
  const lines = code.trimEnd().split('\n')
  const last = lines.pop() ?? ''
  const separator = last.startsWith('npm ') && !last.includes(' -- ') ? ' --' : ''
  return [...lines, `start_server ${last}${separator} --secure-port 0`].join('\n')
}
