import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { orchProfile, type VendorProfile } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { authentication } from '../../plugins/authentication/plugin.js'
import { authorization } from '../../plugins/authorization/plugin.js'
import { certificates } from '../../plugins/certificates/plugin.js'
import { aRequest } from '../../plugins/certificates/testing/made-requests.js'
import { configuration } from '../../plugins/configuration/plugin.js'
import { namespaces } from '../../plugins/namespaces/plugin.js'
import { type Folder, temporaryFolder } from './temporary-folder.js'

/** How a run of the program ended. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}
/** A server, and the compiled program with a client config for it. */
export interface OrchctlWorld {
  readonly server: TestServer
  readonly folder: Folder
  /** The path of the program. */
  readonly program: string
  readonly environment: Readonly<Record<string, string>>
  run(...args: string[]): Promise<Ended>
  /** Runs it with this on standard input. */
  runWith(input: string, ...args: string[]): Promise<Ended>
}

const program = fileURLToPath(new URL('../../orchctl/main.js', import.meta.url))

/** Runs a test against a real server. */
export async function withOrchctl(
  test: (world: OrchctlWorld) => Promise<void>,
  vendor: VendorProfile = orchProfile,
): Promise<void> {
  const plugins = [namespaces, configuration, authentication, authorization, certificates]
  const server = await startServer({ plugins, vendor })
  const folder = temporaryFolder()
  const config = folder.write(
    'config',
    JSON.stringify({
      clusters: [{ name: 'test', cluster: { server: server.baseUrl } }],
      users: [{ name: 'admin', user: { token: server.token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
      'current-context': 'test',
    }),
  )
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder.path,
    TERM: 'xterm',
    [vendor.env.clientConfig]: config,
  }
  const runWith = (input: string, ...args: string[]) => runProgram(args, environment, input)
  try {
    await test({ server, folder, program, environment, runWith, run: (...args) => runWith('', ...args) })
  } finally {
    await server.stop()
    folder.remove()
  }
}

function runProgram(args: string[], environment: Record<string, string>, input: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: environment })
    let out = ''
    let error = ''
    child.stdout.on('data', chunk => (out += chunk))
    child.stderr.on('data', chunk => (error += chunk))
    child.on('error', reject)
    child.on('close', code => resolve({ code: code ?? -1, out, error }))
    child.stdin.end(input)
  })
}

/** A request for a certificate, as it stands in `spec.request`. */
export const aSigningRequest = async (): Promise<string> => Buffer.from((await aRequest()).pem).toString('base64')
