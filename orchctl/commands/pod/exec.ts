import { fileFlags } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { containerOf, podRunningTimeoutFlag, runningPod } from '../../objects/find-pods.js'
import { nameIn, readManifests } from '../../objects/read-manifests.js'
import { UsageError } from '../../usage-error.js'
import { containerFlag, defaultContainerKey, streamFlags, streamTo } from './streaming.js'

const [filenameFlag] = fileFlags.filter(({ name }) => name === 'filename')

export const exec: Command = {
  name: 'exec',
  summary: 'Run a command in a container. Its exit code is that of the command.',
  usage: '(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [ARGUMENT...]',
  examples: [
    ['One command', 'exec web-1 -- date'],
    ['A shell', 'exec -it deployment/web -c nginx -- sh'],
    ['With input', 'exec -i web-1 -- tar xf - -C /tmp'],
  ],
  flags: [containerFlag, ...streamFlags, ...(filenameFlag ? [filenameFlag] : []), podRunningTimeoutFlag],
  completes: 'pods',
  async run(call) {
    const [target, ...command] = await targetAndCommand(call)
    if (target === undefined || command.length === 0)
      throw new UsageError('name a Pod and a command: orchctl exec web-1 -- date')
    const session = await call.session()
    const pod = await runningPod(call, session, target)
    const container = containerOf(call, pod, await defaultContainerKey(session))
    return streamTo(call, session, pod, { subresource: 'exec', container, command })
  },
}

async function targetAndCommand(call: Call): Promise<readonly string[]> {
  const { args, trailing, flags, terminal } = call
  if (!flags.has('filename')) {
    if (trailing.length === 0) return args
    const names = args.slice(0, args.length - trailing.length)
    if (names.length !== 1) throw new UsageError('name one Pod before --, and the command after it')
    return [...names, ...trailing]
  }
  const [manifest, ...more] = await readManifests(flags, terminal)
  if (!manifest || more.length > 0) throw new UsageError('the file must have one object')
  return [`${manifest.object.kind}/${nameIn(manifest)}`, ...(trailing.length > 0 ? trailing : args)]
}

const detachFlag = {
  name: 'detach-keys',
  kind: 'text',
  value: 'KEYS',
  description: 'keys that detach without ending the process: ctrl-p,ctrl-q',
} as const

export const attach: Command = {
  name: 'attach',
  summary: 'Attach to the process that runs in a container.',
  usage: '(POD | TYPE/NAME) [-c CONTAINER] [flags]',
  examples: [
    ['Print its output', 'attach web-1'],
    ['With a terminal', 'attach -it web-1 -c shell'],
  ],
  flags: [containerFlag, ...streamFlags, detachFlag, podRunningTimeoutFlag],
  completes: 'pods',
  async run(call) {
    const [target, ...more] = call.args
    if (target === undefined || more.length > 0) throw new UsageError('name one Pod: orchctl attach web-1')
    const session = await call.session()
    const pod = await runningPod(call, session, target)
    const container = containerOf(call, pod, await defaultContainerKey(session))
    if (!call.flags.is('quiet') && call.flags.is('tty'))
      call.terminal.log("If you don't see a command prompt, try pressing enter.")
    return streamTo(call, session, pod, { subresource: 'attach', container })
  },
}
export { detachFlag }
