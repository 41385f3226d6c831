import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orchProfile, Vendor } from 'orch/sdk'
import { clientFromConfig } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const plugin = fileURLToPath(new URL('./main.js', import.meta.url))
const vendor = new Vendor(orchProfile)

const example = suite('the credential plugin example')
example('returns the token for the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'exec-example-'))
  const server = createServer((request, response) => response.end(request.headers.authorization))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const exec = {
    apiVersion: `${vendor.group('client.authentication')}/v1`,
    command: process.execPath,
    args: [plugin, join(folder, 'tokens.json')],
    interactiveMode: 'Never',
    provideClusterInfo: true,
  }
  const path = join(folder, 'config')
  // JSON is YAML, so it is a client config too.
  const config = {
    clusters: [{ name: 'c', cluster: { server: url } }],
    users: [{ name: 'u', user: { exec } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }
  await writeFile(path, JSON.stringify(config))
  await writeFile(join(folder, 'tokens.json'), JSON.stringify({ [url]: 'mine', 'https://other': 'not this' }))
  const client = await clientFromConfig({ vendor, environment: process.env, path })
  try {
    assert.is(await client.request({ method: 'GET', path: '/', headers: {} }), 'Bearer mine')
  } finally {
    await client.close()
    await new Promise(resolve => server.close(resolve))
    await rm(folder, { recursive: true })
  }
})
example.run()
