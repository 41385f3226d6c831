/** The programs as text: small scripts, so that a question for help costs no start of Node. */
import { etcdHelp } from './etcd-stand-in.js'
import { referenceHelp } from './reference-flags.js'

/** For a shell: within single quotes everything stands for itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Before V8 13, one without a compiler warns that it has no WebAssembly either, unless that is turned off; later ones refuse the flag. */
const withoutWasm = Number.parseInt(process.versions.v8, 10) < 13 ? ['--no-expose-wasm'] : []
/** A program that waits needs no threads for the collector, and no compiler. */
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
  // No option of V8: with another set of them, the compiled code that comes with the package is not taken.
  return script(referenceHelp(), [...program, 'envtest', 'server', folder, ...flags, '--'])
}

export const storeExecutable = ([node = '']: readonly string[], scriptPath: string): string =>
  script(etcdHelp, [node, ...storeNodeOptions, scriptPath])

/** The client that comes with orch, under another name. */
export const clientExecutable = ([node = '']: readonly string[], clientPath: string): string =>
  `#!/bin/sh\n# Written by orch envtest.\nexec ${quoted(node)} ${quoted(clientPath)} "$@"\n`
