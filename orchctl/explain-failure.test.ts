import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { defineAdmission, definePlugin, reject } from 'orch/sdk'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withOrchctl } from '../test/support/run-orchctl.js'
import { temporaryFolder } from '../test/support/temporary-folder.js'
import { run } from './run.js'

const failures = suite('how orchctl explains failures')

/** A control that refuses every ConfigMap. */
const refusal = definePlugin({
  name: 'refusal',
  register: to =>
    to.admission(
      defineAdmission()({
        name: 'NoConfigMaps',
        phase: 'validate',
        sideEffects: 'none',
        matches: { group: '', resource: 'configmaps' },
        review: () => reject('there are enough of them'),
      }),
    ),
})

failures('a rejection by an admission control does not suggest asking an administrator', () =>
  withOrchctl(
    async ({ run }) => {
      const { code, error } = await run('create', 'cm', 'a')
      assert.is(code, 1)
      assert.match(error, 'there are enough of them')
      assert.not.match(error, 'administrator')
    },
    undefined,
    [refusal],
  ),
)

failures('a missing permission suggests it', () =>
  withOrchctl(async ({ run }) => {
    assert.match((await run('create', 'cm', 'a', '--as', 'nobody')).error, 'ask an administrator for the permission')
    assert.match((await run('get', 'ns', '--as', 'nobody')).error, 'ask an administrator for the permission')
  }),
)

/** Runs orchctl without any config. */
async function runAlone(...args: string[]): Promise<{ code: number; error: string }> {
  let error = ''
  const code = await run(args, {
    version: '0.0.0',
    environment: { HOME: '/nonexistent' },
    isTerminal: false,
    signal: new AbortController().signal,
    write: () => {},
    log: line => (error += `${line}\n`),
    readInput: async () => '',
    readLine: async () => '',
    streams: () => ({ input: new PassThrough(), output: new PassThrough(), error: new PassThrough() }),
  })
  return { code, error }
}

failures('without a config, the variable that names one is mentioned', async () => {
  const { code, error } = await runAlone('get', 'ns')
  assert.is(code, 2)
  assert.match(error, '--config or ORCHCONFIG')
})

/** A file with the certificate of an authority of this name. */
async function caFile(name: string): Promise<{ path: string; remove(): void }> {
  const folder = temporaryFolder()
  return { path: folder.write('ca.pem', (await testAuthority(name)).caPem), remove: () => folder.remove() }
}

failures(
  'a server with an untrusted certificate is not reported as unreachable, and the trusted CA is named',
  async () => {
    const { certificatePem: cert, keyPem: key } = await (await testAuthority('theirs')).server()
    const server = createServer({ cert, key }, (_, response) => response.end('{}'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
      const system = await runAlone('get', 'ns', '-s', url)
      assert.is(system.code, 3)
      assert.match(system.error, 'trusted here: the authorities of the system')
      assert.match(system.error, 'certificate-authority')
      assert.not.match(system.error, 'is it running')
      const ours = await caFile('ours')
      const other = await runAlone('get', 'ns', '-s', url, '--certificate-authority', ours.path)
      assert.match(other.error, 'trusted here: CN=ours')
      ours.remove()
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
)

failures('neither is a server without TLS', async () => {
  const server = createPlainServer((_, response) => response.end('{}'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { error } = await runAlone('get', 'ns', '-s', `https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    assert.not.match(error, 'is it running')
    assert.match(error, 'is --server right')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

failures('a port without a server is', async () => {
  assert.match((await runAlone('get', 'ns', '-s', 'https://127.0.0.1:1')).error, 'is it running')
})

failures.run()
