import { accessSync, constants, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import type { CommandContext, CommandDefinition } from 'orch/sdk'
import { assetsFolder, makeOnce } from './assets-folder.js'
import { etcdScript } from './etcd-stand-in.js'
import { clientExecutable, serverExecutable, storeExecutable } from './executables.js'
import { prepareData } from './prepared-data.js'
import { programs } from './reference-programs.js'
import { runServer } from './run-server.js'

/** `orch envtest path`, and the command that its programs run. */
export const envtestCommand: CommandDefinition = {
  name: 'envtest',
  usage: 'envtest path [flags of orch serve]',
  summary: `Write ${Object.values(programs).join(', ')} for test suites, once, and print their folder.`,
  async run(argv, context) {
    const [action, ...words] = argv
    if (action === 'path') return await path(words, context)
    if (action === 'server') {
      const [folder = '', ...rest] = words
      const end = rest.indexOf('--')
      return await runServer(folder, rest.slice(0, end), rest.slice(end + 1), context)
    }
    context.err(`orch: envtest needs path: export KUBEBUILDER_ASSETS=$(npx orch envtest path)\n`)
    return 2
  },
}

async function path(words: readonly string[], context: CommandContext): Promise<number> {
  const { host } = context
  const flags = withAbsoluteConfig(words, context.workingDir)
  const client = findOnPath(programs.client, host.environment['PATH'] ?? '')
  const folder = assetsFolder(host, client, flags)
  await makeOnce(folder, async unfinished => {
    await prepareData(host, unfinished, flags)
    writeFileSync(join(unfinished, 'etcd.cjs'), etcdScript)
    const write = (name: string, text: string) => writeFileSync(join(unfinished, name), text, { mode: 0o755 })
    write(programs.store, storeExecutable(host.program, join(folder, 'etcd.cjs')))
    write(programs.server, serverExecutable(host.program, folder, flags))
    if (client !== undefined) symlinkSync(client, join(unfinished, programs.client))
    else write(programs.client, clientExecutable(host.program, ownClient(host.program)))
  })
  context.out(`${folder}\n`)
  return 0
}

/** The client of this package, next to the program. */
const ownClient = (program: readonly string[]): string =>
  join(dirname(dirname(program.at(-1) ?? '')), 'orchctl', 'main.js')

function findOnPath(name: string, searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter(folder => isAbsolute(folder))
  return folders.map(folder => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Makes the path of `--config` absolute: test suites start servers in other folders. */
export const withAbsoluteConfig = (flags: readonly string[], workingDir: string): string[] =>
  flags.map((flag, at) => {
    if (flags[at - 1] === '--config') return resolve(workingDir, flag)
    const [, path] = /^--config=(.*)$/s.exec(flag) ?? []
    return path === undefined ? flag : `--config=${resolve(workingDir, path)}`
  })
