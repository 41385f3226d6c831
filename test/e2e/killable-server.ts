import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { orchProfile, Vendor } from 'orch/sdk'
import { type Client, clientFromConfig } from 'orch/sdk/client'
import { programFor } from '../support/orch-program.js'

/** A server in a separate process that can be killed. */
export interface KillableServer {
  readonly client: Client
  /** Kills it, like a machine failure. */
  kill(): Promise<void>
}

/** Starts `orch serve` with its data folder in `folder` and waits until it is ready. */
export async function startKillable(folder: string, ...flags: string[]): Promise<KillableServer> {
  const words = [programFor(flags), 'serve', '--secure-port=0', `--data-dir=${folder}`, ...flags]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>(resolve => child.on('close', () => resolve()))
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  try {
    await untilReady(child)
  } catch (error) {
    await kill()
    throw error
  }
  const vendor = new Vendor(orchProfile)
  const client = await clientFromConfig({ vendor, environment: {}, path: join(folder, 'admin.conf') })
  return { client, kill }
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let out = ''
    let err = ''
    child.stderr?.setEncoding('utf8').on('data', text => (err = (err + text).slice(-2000)))
    child.stdout?.setEncoding('utf8').on('data', text => {
      out += text
      if (/curl .*\n/.test(out)) resolve()
    })
    child.on('close', code => reject(new Error(`orch serve ended with ${code}: ${err}`)))
  })
}
