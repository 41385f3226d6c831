import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { ReadyServer } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { adminGet } from './admin-get.js'
import { inFolder } from './boot-request.js'
import { runBinary, serveBinary } from './run-binary.js'

const serve = suite('orch serve')

function* filesBelow(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else yield path
  }
}

serve('works in an empty folder: prints address, client config and three commands, and the admin can connect', () =>
  inFolder({}, async dir => {
    const server = await serveBinary(dir, '--secure-port=0')
    try {
      assert.match(server.banner, /^Serving at https:\/\/127\.0\.0\.1:\d+\n/)
      const clientConfigPath = /^Client config: (.+)$/m.exec(server.banner)?.[1] ?? ''
      assert.ok(clientConfigPath.endsWith(join('data', 'admin.conf')), clientConfigPath)
      assert.is(server.banner.split('\n').filter(line => line.startsWith('  ')).length, 3)
      const ready = await adminGet(clientConfigPath, '/readyz')
      assert.equal(ready, { status: 200, body: 'ok' })
      const version = await adminGet(clientConfigPath, '/version')
      assert.is(JSON.parse(version.body).minor, '23')
    } finally {
      assert.is(await server.stop(), 0)
    }
    for (const path of filesBelow(join(dir, 'data'))) {
      assert.is((statSync(path).mode & 0o777).toString(8), '600', path)
    }
  }),
)

serve('writes its address to a file when it is ready, for programs that wait for it', () =>
  inFolder({ 'ready.json': 'of a server that was killed' }, async dir => {
    const path = join(dir, 'ready.json')
    const server = await serveBinary(dir, '--secure-port=0', '--ready-file=ready.json')
    try {
      const ready = JSON.parse(readFileSync(path, 'utf8')) as ReadyServer
      assert.equal(Object.keys(ready), ['address', 'port', 'ca', 'kubeconfig', 'pid'])
      assert.is(ready.address, `https://127.0.0.1:${ready.port}`)
      assert.match(server.banner, ready.address)
      assert.is(ready.ca, readFileSync(join(dir, 'data', 'pki', 'ca.crt'), 'utf8'))
      assert.equal(await adminGet(ready.kubeconfig, '/readyz'), { status: 200, body: 'ok' })
      process.kill(ready.pid, 0)
    } finally {
      assert.is(await server.stop(), 0)
    }
    assert.is(existsSync(path), false, 'the file exists as long as the server runs')
  }),
)

serve('keeps certificates and data over a restart', () =>
  inFolder({}, async dir => {
    const authority = () => readFileSync(join(dir, 'state', 'pki', 'ca.crt'), 'utf8')
    const words = ['--secure-port=0', '--data-dir=state', '--vendor=kubernetes']
    await (await serveBinary(dir, ...words)).stop()
    const first = authority()
    const server = await serveBinary(dir, ...words)
    try {
      assert.is(authority(), first)
      assert.match(server.banner, /KUBECONFIG=\S+ kubectl api-resources/)
      const { status } = await adminGet(join(dir, 'state', 'admin.conf'), '/readyz')
      assert.is(status, 200)
    } finally {
      assert.is(await server.stop(), 0)
    }
  }),
)

const turnedOff: Record<string, string> = {
  'scheduling.orch.io/v1=false': '/apis/scheduling.orch.io/v1/priorityclasses',
  'api/all=false,api/v1=true': '/apis/rbac.authorization.orch.io/v1/clusterroles',
  'api/v1=false': '/api/v1/namespaces',
}
for (const [flag, path] of Object.entries(turnedOff))
  serve(`starts and is ready although plugins need types that --runtime-config=${flag} disables`, () =>
    inFolder({}, async dir => {
      const server = await serveBinary(dir, '--secure-port=0', `--runtime-config=${flag}`)
      try {
        const config = join(dir, 'data', 'admin.conf')
        assert.equal(await adminGet(config, '/readyz'), { status: 200, body: 'ok' })
        assert.is((await adminGet(config, path)).status, 404)
      } finally {
        assert.is(await server.stop(), 0)
      }
    }),
  )

serve('reports in one line that its port is in use, and exits with 1', () =>
  inFolder({}, async dir => {
    const occupant = createServer()
    const port = await new Promise<number>(resolve =>
      occupant.listen(0, '127.0.0.1', () => resolve((occupant.address() as { port: number }).port)),
    )
    try {
      const { code, err } = await runBinary(dir, 'serve', `--secure-port=${port}`)
      assert.is(code, 1)
      assert.match(err, /^orch: .*EADDRINUSE.* or choose another one: --secure-port 0 .*\n$/)
      assert.is(existsSync(join(dir, 'data')), false, 'nothing is left behind')
    } finally {
      await new Promise(resolve => occupant.close(resolve))
    }
  }),
)

serve('writes nothing when a flag is wrong', () =>
  inFolder({}, async dir => {
    const { code, err } = await runBinary(dir, 'serve', '--tls=false', '--bind-address=0.0.0.0')
    assert.is(code, 2)
    assert.match(err, /^orch: .*loopback.*\n$/)
    assert.is(existsSync(join(dir, 'data')), false)
  }),
)

for (const [value, expected] of [
  ['0', 'between 1 and 128 or auto'],
  ['many', 'between 1 and 128 or auto'],
  ['1.5', 'between 1 and 128 or auto'],
]) {
  serve(`rejects --workers=${value} with the allowed values, and exits with 2`, () =>
    inFolder({}, async dir => {
      const { code, err } = await runBinary(dir, 'serve', `--workers=${value}`)
      assert.is(code, 2)
      assert.match(err, new RegExp(`^orch: .*--workers.*"${value}".*${expected}.*\\n$`))
      assert.is(existsSync(join(dir, 'data')), false)
    }),
  )
}

const failing = (start: string) => `import { definePlugin } from 'orch/sdk'
const plugin = definePlugin({ name: 'troubled', register(to) { to.onStart({ name: 'prepare', run: () => ${start} }) } })
export default { plugins: [plugin], pluginStartTimeout: '200ms' }`
for (const [title, start, code] of [
  ['fails to start', "{ throw new Error('no licence') }", 'ORCH_START_FAILED'],
  ['never finishes starting', 'new Promise(() => {})', 'ORCH_START_TIMEOUT'],
] as const) {
  serve(`names the plugin that ${title}, and exits with 1`, () =>
    inFolder({ 'orch.config.mjs': failing(start) }, async dir => {
      const { code: exitCode, err } = await runBinary(dir, 'serve', '--secure-port=0', '--log-format=json')
      assert.is(exitCode, 1)
      const lines = err
        .trimEnd()
        .split('\n')
        .filter(line => !line.startsWith('{') && !line.startsWith('    at '))
      assert.is(lines.length, 1, err)
      assert.match(lines[0] ?? '', new RegExp(`"troubled".*${code}`))
    }),
  )
}
serve.run()
