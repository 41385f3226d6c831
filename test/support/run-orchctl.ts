import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { orchProfile, type PluginEntry, type VendorProfile } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import config from '../../orch.config.js'
import { run } from '../../orchctl/run.js'
import { authentication } from '../../plugins/authentication/plugin.js'
import { authorization } from '../../plugins/authorization/plugin.js'
import { certificates } from '../../plugins/certificates/plugin.js'
import { aRequest } from '../../plugins/certificates/testing/made-requests.js'
import { configuration } from '../../plugins/configuration/plugin.js'
import { namespaces } from '../../plugins/namespaces/plugin.js'
import { runPods } from './run-pods.js'
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
  /** Runs a command line in this process, without the start of a process. */
  run(...args: string[]): Promise<Ended>
  /** Runs it with this on standard input. */
  runWith(input: string, ...args: string[]): Promise<Ended>
  /** Runs the program, as a person would. */
  runProgram(...args: string[]): Promise<Ended>
}

const compiled = fileURLToPath(new URL('../../orchctl/main.js', import.meta.url))
const bundled = fileURLToPath(new URL('../../bundled/orchctl/main.js', import.meta.url))
const builtAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
/** The bundle, as users run it, unless the compiled modules are newer. */
const program = builtAt(bundled) >= builtAt(compiled) ? bundled : compiled

/** Runs a test against a real server with the few plugins that most commands need. */
export const withOrchctl = (
  test: (terminal: OrchctlWorld) => Promise<void>,
  vendor: VendorProfile = orchProfile,
  morePlugins: readonly PluginEntry[] = [],
): Promise<void> =>
  withServer([namespaces, configuration, authentication, authorization, certificates, ...morePlugins], vendor, test)

/** Runs a test against a server that has everything, and on which Pods run. */
export const withCluster = (
  test: (terminal: OrchctlWorld) => Promise<void>,
  vendor: VendorProfile = orchProfile,
  morePlugins: readonly PluginEntry[] = [],
): Promise<void> =>
  withServer([...config.plugins, ...morePlugins], vendor, async terminal => {
    const stop = runPods(terminal.server.client)
    try {
      await test(terminal)
    } finally {
      await stop()
    }
  })

async function withServer(
  plugins: readonly PluginEntry[],
  vendor: VendorProfile,
  test: (terminal: OrchctlWorld) => Promise<void>,
): Promise<void> {
  const server = await startServer({ plugins, vendor })
  const folder = temporaryFolder()
  const clientConfig = folder.write(
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
    [vendor.env.clientConfig]: clientConfig,
  }
  const runWith = (input: string, ...args: string[]) => runHere(args, environment, input)
  try {
    await test({
      server,
      folder,
      program,
      environment,
      runWith,
      run: (...args) => runWith('', ...args),
      runProgram: (...args) => runProgram(args, environment),
    })
  } finally {
    await server.stop()
    folder.remove()
  }
}

async function runHere(args: string[], environment: Record<string, string>, input: string): Promise<Ended> {
  let out = ''
  let error = ''
  const code = await run(args, {
    version: '0.0.0',
    environment,
    isTerminal: false,
    signal: new AbortController().signal,
    write: text => (out += text),
    log: line => (error += `${line}\n`),
    readInput: async () => input,
    streams: () => ({
      input: Readable.from([Buffer.from(input)]),
      output: collecting(text => (out += text)),
      error: collecting(text => (error += text)),
    }),
    readLine: async () => input.split('\n')[0] ?? '',
  })
  return { code, out, error }
}

const collecting = (add: (text: string) => void) =>
  new Writable({
    write(chunk, _, done) {
      add(String(chunk))
      done()
    },
  })

function runProgram(args: string[], environment: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let error = ''
    child.stdout.on('data', chunk => (out += chunk))
    child.stderr.on('data', chunk => (error += chunk))
    child.on('error', reject)
    child.on('close', code => resolve({ code: code ?? -1, out, error }))
  })
}

/** A request for a certificate, as it stands in `spec.request`. */
export const aSigningRequest = async (): Promise<string> => Buffer.from((await aRequest()).pem).toString('base64')
