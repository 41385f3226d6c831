import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configuration } from 'orch/plugins/configuration'
import { coordination } from 'orch/plugins/coordination'
import { namespaces } from 'orch/plugins/namespaces'
import type { ApiObject } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const program = fileURLToPath(new URL('./main.js', import.meta.url))
type ConfigMap = ApiObject & { data?: Record<string, string> }

/** The program, against this server. */
class Running {
  output = ''
  readonly #child: ChildProcess
  constructor(config: string) {
    this.#child = spawn(process.execPath, [program, '--config', config], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child.stdout?.on('data', chunk => (this.output += chunk))
  }
  get isLeading(): boolean {
    return this.output.includes('leading')
  }
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = new Promise(resolve => this.#child.once('exit', resolve))
    this.#child.kill('SIGTERM')
    await ended
  }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (holds()) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  assert.unreachable(`waited too long for ${what}`)
}
function writeConfig(folder: string, { baseUrl, token }: TestServer): string {
  const path = join(folder, 'config')
  // JSON is YAML, so it is a client config too.
  const config = {
    clusters: [{ name: 'c', cluster: { server: baseUrl } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

const example = suite('the external controller example')

example('creates its ConfigMap in every namespace, restores it, and fails over to another process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'external-controller-'))
  const server = await startServer({ plugins: [namespaces, configuration, coordination] })
  const config = writeConfig(folder, server)
  const both = [new Running(config), new Running(config)]
  try {
    const { client } = server
    const greeting = client.resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps' }).in('town')
    const isRight = ({ data }: ConfigMap) => data?.['text'] === 'Welcome to town'
    await until('a leader', () => both.some(each => each.isLeading))
    await client.resource({ group: '', version: 'v1', resource: 'namespaces' }).create({ metadata: { name: 'town' } })
    await greeting.waitFor('welcome', isRight)
    await greeting.patch('welcome', { data: { text: 'Go away', note: 'mine' } })
    assert.is((await greeting.waitFor('welcome', isRight)).data?.['note'], 'mine')

    assert.is(both.filter(each => each.isLeading).length, 1)
    await both.find(each => each.isLeading)?.stop()
    await until('the other one', () => both.every(each => each.isLeading))
    await greeting.delete('welcome')
    await greeting.waitFor('welcome', isRight)
  } finally {
    await Promise.all(both.map(each => each.stop()))
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

example.run()
