import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePki } from '../pki/ensure-pki.js'
import { makePrivateFolder } from '../pki/private-files.js'
import { bootOrThrow } from './boot-from-argv.js'
import type { Command, CommandLine } from './command-line.js'

interface CertsAction {
  /** Files of `pki/` that make room for new ones. */
  readonly replaces: readonly string[]
  readonly told: string
}

const actions: Readonly<Record<string, CertsAction>> = {
  'new-ca': {
    replaces: ['ca.crt', 'ca.key', 'serving.crt', 'admin.crt', 'admin.key'],
    told: 'There is a new authority. Start the server, and give its pki/ca.crt and new client certificates to every client.',
  },
  'new-serving-key': {
    replaces: ['serving.crt', 'serving.key', 'service-account.key', 'service-account.pub'],
    told: 'There is a new serving key. Tokens of service accounts that the old one signed are not valid any more.',
  },
}

/** `orch certs ...`: makes anew what no start makes anew by itself. */
export const certsCommand: Command = {
  name: 'certs',
  usage: `certs ${Object.keys(actions).join('|')} [flags]`,
  summary: 'Make a new authority or serving key, while no server runs. What is replaced is kept.',
  async run(line) {
    const [name = '', ...flags] = line.words
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) {
      line.err(`orch: certs needs one of ${Object.keys(actions).join(', ')}. See orch help.\n`)
      return 2
    }
    return await replace(name, action, flags, line)
  },
}

async function replace(
  name: string,
  action: CertsAction,
  flags: readonly string[],
  line: CommandLine,
): Promise<number> {
  const { kernelOptions, vendor } = await bootOrThrow(line, flags)
  const { dataDir, bindAddress } = kernelOptions
  const folder = join(dataDir, 'pki')
  if (!existsSync(folder)) {
    line.err(`orch: there is no ${folder}; the first start of a server makes it\n`)
    return 1
  }
  const { lockFolder } = await import('../storage/folder-lock.js')
  const release = await lockFolder(dataDir, { role: 'maintenance', what: `orch certs ${name}` })
  try {
    const kept = join(folder, `before-${new Date().toISOString().replace(/[:.]/g, '-')}`)
    makePrivateFolder(kept)
    for (const file of action.replaces) {
      if (existsSync(join(folder, file))) renameSync(join(folder, file), join(kept, file))
    }
    await ensurePki({ dataDir, vendor: vendor.profile, bindAddress, now: Date.now() })
    line.out(`${action.told}\nWhat was there before is in ${kept}.\n`)
    return 0
  } finally {
    await release()
  }
}
