import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Clock, CommandDefinition } from 'orch/sdk'
import { OneTimeCodes } from './one-time-codes.js'
import { linkWith } from './sign-in-link.js'

const realTime: Pick<Clock, 'now'> = { now: () => Date.now() }

/** `orch console`: another link for whoever may write into the data folder of a server that runs. */
export const consoleCommand: CommandDefinition = {
  name: 'console',
  usage: 'console [--data-dir FOLDER]',
  summary: 'Print a link that signs you in to the console of a running server, once.',
  async run(argv, { out, err, workingDir }) {
    const { values } = parseArgs({ args: [...argv], options: { 'data-dir': { type: 'string', default: 'data' } } })
    const dataDir = resolve(workingDir, values['data-dir'])
    const address = await addressIn(join(dataDir, 'admin.conf'))
    if (address === undefined) {
      err(`orch: no server has been started with the data folder ${dataDir}; name its folder with --data-dir\n`)
      return 1
    }
    out(`${linkWith(address, OneTimeCodes.in(dataDir, realTime).issue())}\n`)
    return 0
  },
}

/** Where the administrator's client config says that the server is. */
async function addressIn(path: string): Promise<string | undefined> {
  try {
    const { parseConfigFile } = await import('orch/sdk/client')
    return parseConfigFile(readFileSync(path, 'utf8'), path).clusters?.[0]?.cluster?.server
  } catch {
    return undefined
  }
}
