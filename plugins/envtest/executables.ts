/** The programs as shell scripts, so that --help does not have to start Node. */
import { etcdHelp } from './etcd-stand-in.js'
import { referenceHelp } from './reference-flags.js'

/** Quotes for a shell: within single quotes nothing is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Before V8 13, --jitless warns about missing WebAssembly unless that is turned off; later versions reject the flag. */
const withoutWasm = Number.parseInt(process.versions.v8, 10) < 13 ? ['--no-expose-wasm'] : []
/** An idle program needs no garbage collector threads, and no compiler. */
const storeNodeOptions = ['--single-threaded', '--jitless', ...withoutWasm]

const script = (help: string, command: readonly string[]): string => `#!/bin/sh
# Written by orch envtest.
for word do
  case $word in
  --help | -h | -help)
    cat <<'END_OF_HELP'
${help}END_OF_HELP
    exit 0
    ;;
  esac
done
exec ${command.map(quoted).join(' ')} "$@"
`

/** Runs `orch envtest server` with the flags of the reference. */
export function serverExecutable(program: readonly string[], folder: string, flags: readonly string[]): string {
  // No V8 options: with different ones, the compiled code of the package is not used.
  return script(referenceHelp(), [...program, 'envtest', 'server', folder, ...flags, '--'])
}

export const storeExecutable = ([node = '']: readonly string[], scriptPath: string): string =>
  script(etcdHelp, [node, ...storeNodeOptions, scriptPath])

/** The client of orch, under another name. */
export const clientExecutable = ([node = '']: readonly string[], clientPath: string): string =>
  `#!/bin/sh\n# Written by orch envtest.\nexec ${quoted(node)} ${quoted(clientPath)} "$@"\n`
