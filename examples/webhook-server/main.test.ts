import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { authorization } from 'orch/plugins/authorization'
import { certificates } from 'orch/plugins/certificates'
import { namespaces } from 'orch/plugins/namespaces'
import { webhooks } from 'orch/plugins/webhooks'
import type { ApiError } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { widgetPlugin } from '../widgets/plugin.js'
import { widgets } from '../widgets/resource.js'

const example = suite('the webhook server example')

/** Starts the program as a user would, and waits until it prints its address. */
function startProgram(config: string): Promise<ChildProcess> {
  const program = spawn(process.execPath, [fileURLToPath(new URL('./main.js', import.meta.url)), '--config', config])
  return new Promise((resolve, reject) => {
    let output = ''
    const listen = (text: Buffer) => {
      output += text
      if (output.includes('webhooks for widgets at https://')) resolve(program)
    }
    program.stdout.on('data', listen)
    program.stderr.on('data', listen)
    program.once('exit', () => reject(new Error(`the program exited: ${output}`)))
  })
}
async function withProgram(test: (server: TestServer) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-webhook-server-'))
  const server = await startServer({
    tls: true,
    plugins: [namespaces, authorization, certificates, webhooks, widgetPlugin],
  })
  const { baseUrl, token, clientConfig } = server
  const config = join(folder, 'config.yaml')
  const authority = Buffer.from(clientConfig.caPem ?? '').toString('base64')
  writeFileSync(
    config,
    JSON.stringify({
      clusters: [{ name: 'test', cluster: { server: baseUrl, 'certificate-authority-data': authority } }],
      users: [{ name: 'test', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      'current-context': 'test',
    }),
  )
  let program: ChildProcess | undefined
  try {
    program = await startProgram(config)
    await test(server)
  } finally {
    program?.removeAllListeners('exit').kill('SIGTERM')
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    ({ code, message }: ApiError) => `${code} ${message}`,
  )

example('gets a certificate, registers itself, then defaults and validates widgets', () =>
  withProgram(async ({ client }) => {
    const town = client.of(widgets).in('default')
    const made = await town.create({ metadata: { name: 'a' }, spec: { parts: [{ name: 'lid' }] } })
    assert.equal(
      made.spec?.parts?.map(({ name, material }) => `${material} ${name}`),
      ['wood lid', 'wood frame'],
    )
    assert.is(made.spec?.size, 2)
    assert.is(made.metadata?.annotations?.['example.com/made-by'], 'test-administrator')
    assert.match(
      await refusal(town.patch('a', { spec: { size: 11 } })),
      /^422 admission webhook "validate.widgets.example.com" denied the request: red widgets may have a size of at most 10/,
    )
    await town.patch('a', { spec: { color: 'blue', size: 11 }, metadata: { labels: { 'example.com/keep': 'true' } } })
    assert.match(await refusal(town.delete('a')), /^403 .*this widget is marked with example.com\/keep/)
    await town.patch('a', { metadata: { labels: { 'example.com/keep': null } } })
    assert.is(await refusal(town.delete('a')), 'accepted')
  }),
)

example.run()
