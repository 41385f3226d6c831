import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Clock, CommandDefinition } from 'orch/sdk'
import { KnownSessions } from './known-sessions.js'
import { OneTimeCodes } from './one-time-codes.js'
import { linkWith } from './sign-in-link.js'

const realTime: Pick<Clock, 'now'> = { now: () => Date.now() }

/** `orch console`: creates another link, or lists or ends sessions. Requires write access to the server's data folder. */
export const consoleCommand: CommandDefinition = {
  name: 'console',
  usage: 'console [--data-dir FOLDER] [--sessions | --end-session ID | --end-sessions]',
  summary: 'Print a link that signs you in to the console of a running server, once; or list or end sessions.',
  async run(argv, { out, err, workingDir }) {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        'data-dir': { type: 'string', default: 'data' },
        sessions: { type: 'boolean', default: false },
        'end-session': { type: 'string' },
        'end-sessions': { type: 'boolean', default: false },
      },
    })
    const dataDir = resolve(workingDir, values['data-dir'])
    const address = await addressIn(join(dataDir, 'admin.conf'))
    if (address === undefined) {
      err(`orch: no server has been started with the data folder ${dataDir}; name its folder with --data-dir\n`)
      return 1
    }
    const sessions = KnownSessions.in(dataDir, realTime)
    const ended = values['end-session']
    if (ended !== undefined && !sessions.end(ended)) {
      err(`orch: there is no session ${ended} of the console; --sessions lists them\n`)
      return 1
    }
    if (values['end-sessions']) for (const { id } of sessions.all()) sessions.end(id)
    if (values.sessions)
      for (const { id, since, until } of sessions.all())
        out(`${id}  signed in ${timeOf(since)}, ends ${timeOf(until)}\n`)
    if (ended !== undefined || values['end-sessions'] || values.sessions) return 0
    out(`${linkWith(address, OneTimeCodes.in(dataDir, realTime).issue())}\n`)
    return 0
  },
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** The address of the server in the administrator's client config. */
async function addressIn(path: string): Promise<string | undefined> {
  try {
    const { parseConfigFile } = await import('orch/sdk/client')
    return parseConfigFile(readFileSync(path, 'utf8'), path).clusters?.[0]?.cluster?.server
  } catch {
    return undefined
  }
}
