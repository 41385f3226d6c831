import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Call, Command } from '../../command.js'
import { containerOf, runningPod } from '../../objects/find-pods.js'
import { UsageError } from '../../usage-error.js'
import { containerFlag, defaultContainerKey, streamTo } from './streaming.js'

/** A local file, or one in a Pod. */
interface CopyPath {
  readonly pod?: string
  readonly namespace?: string
  readonly path: string
}

export const cp: Command = {
  name: 'cp',
  summary: 'Copy files and folders to and from containers. The image must have the program tar.',
  usage: '([[NAMESPACE/]POD:]SOURCE) ([[NAMESPACE/]POD:]DESTINATION) [-c CONTAINER] [flags]',
  examples: [
    ['To a container', 'cp site/ web-1:/usr/share/nginx/html'],
    ['From a container', 'cp web-1:/var/log/app.log app.log -c app'],
  ],
  flags: [
    containerFlag,
    { name: 'no-preserve', kind: 'switch', description: 'do not keep owners and permissions of the files' },
    {
      name: 'retries',
      kind: 'text',
      value: 'N',
      description: 'how often to retry if copying from a container is interrupted (0)',
    },
  ],
  completes: 'pods',
  async run(call) {
    const [source, destination, ...more] = call.args.map(readCopyPath)
    if (source === undefined || destination === undefined || more.length > 0)
      throw new UsageError('name the source and the destination: orchctl cp web-1:/tmp/a a')
    if ((source.pod === undefined) === (destination.pod === undefined))
      throw new UsageError('one of the two must be in a Pod: POD:PATH')
    if (source.path === '' || destination.path === '') throw new UsageError('a path is missing after the colon')
    return source.pod === undefined ? upload(call, source, destination) : download(call, source, destination)
  },
}

function readCopyPath(word: string): CopyPath {
  const colon = word.indexOf(':')
  // `C:\a`, `./a:b` and `/a:b` are local paths.
  if (colon < 0 || /^([A-Za-z]:\\|[./])/.test(word)) return { path: word }
  const [first = '', second] = word.slice(0, colon).split('/')
  const path = word.slice(colon + 1)
  return second === undefined ? { pod: first, path } : { namespace: first, pod: second, path }
}

async function inPod(call: Call, { pod = '', namespace }: CopyPath) {
  const session = await call.session()
  const there = namespace === undefined ? session : session.inNamespace(namespace)
  const found = await runningPod(call, there, pod)
  return { session: there, found, container: containerOf(call, found, await defaultContainerKey(session)) }
}

async function upload(call: Call, source: CopyPath, destination: CopyPath): Promise<number> {
  const from = resolve(source.path)
  if (!existsSync(from)) throw new UsageError(`there is no file ${source.path}`)
  const { session, found, container } = await inPod(call, destination)
  const run = (command: readonly string[], ends: object, isQuiet = false) =>
    streamTo(call, session, found, { subresource: 'exec', container, command, ends, isQuiet })
  const { error } = call.terminal.streams()
  // If the destination is a folder, the file is copied into it, as `cp` does. A trailing slash marks a folder.
  const isFolder = destination.path.endsWith('/') || (await run(['test', '-d', destination.path], {}, true)) === 0
  const target = isFolder ? posix.join(destination.path, basename(from)) : destination.path
  const name = posix.basename(target)
  const owners = call.flags.is('no-preserve') ? ['--no-same-permissions', '--no-same-owner'] : []
  const archive = spawn(
    'tar',
    ['-c', '-f', '-', '-C', dirname(from), ...renamed(basename(from), name), '--', basename(from)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  // Read from the start: output that is not read before the process ends is discarded.
  const input = archive.stdout.pipe(new PassThrough())
  const made = new Promise<number>((done, fail) => archive.on('error', fail).on('close', code => done(code ?? 1)))
  const code = await run(['tar', '-xmf', '-', ...owners, '-C', posix.dirname(target)], { input, error })
  return Math.max(code, await made)
}

/** Options of tar that rename the file inside the archive. */
const renamed = (from: string, to: string): string[] =>
  from === to
    ? []
    : ['--transform', `flags=r;s|^${from.replace(/[.[\]*^$|\\]/g, '\\$&')}|${to.replace(/[&|\\]/g, '\\$&')}|`]

async function download(call: Call, source: CopyPath, destination: CopyPath): Promise<number> {
  const { session, found, container } = await inPod(call, source)
  const target = resolve(destination.path)
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true
  const finalPath = isFolder ? join(target, posix.basename(source.path)) : target
  mkdirSync(dirname(finalPath), { recursive: true })
  const retries = call.flags.number('retries') ?? 0
  for (let attempt = 0; ; attempt++) {
    // In the folder of the destination, so that a complete copy can be renamed and an incomplete one removed.
    const folder = mkdtempSync(join(dirname(finalPath), '.orchctl-cp-'))
    try {
      const owners = call.flags.is('no-preserve') ? ['--no-same-permissions', '--no-same-owner'] : []
      const reader = spawn('tar', ['-x', '-f', '-', ...owners, '-C', folder], { stdio: ['pipe', 'inherit', 'inherit'] })
      const read = new Promise<number>((done, fail) => reader.on('error', fail).on('close', code => done(code ?? 1)))
      const command = ['tar', 'cf', '-', '-C', posix.dirname(source.path), posix.basename(source.path)]
      const { error } = call.terminal.streams()
      const code = await streamTo(call, session, found, {
        subresource: 'exec',
        container,
        command,
        ends: { output: reader.stdin, error },
      })
      reader.stdin.end()
      const ended = Math.max(code, await read)
      if (ended === 0) {
        rmSync(finalPath, { recursive: true, force: true })
        renameSync(join(folder, posix.basename(source.path)), finalPath)
        return 0
      }
      if (attempt >= retries) return ended
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
