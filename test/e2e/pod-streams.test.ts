import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Attach, CoreV1Api, Exec, KubeConfig, PortForward, type V1Status } from '@kubernetes/client-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { findProgram } from '../support/find-program.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'

const program = findProgram('kubectl')
const streams = suite('streams of simulated Pods')
let server: RunningServer
/** Both protocols of kubectl: newer versions prefer WebSockets, older ones support only SPDY. */
const ways: Readonly<Record<string, Record<string, string>>> = {
  WebSockets: { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'true', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'true' },
  SPDY: { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' },
}

interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}
function kubectl(way: Record<string, string>, input: string | Buffer, ...words: string[]): Promise<Ran> {
  const env = { ...process.env, KUBECONFIG: server.adminConfig, HOME: server.dataDir, ...way }
  return new Promise(resolve => {
    const child = execFile(program ?? '', words, { env, timeout: 30_000 }, (error, out, said) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, error: said }),
    )
    child.stdin?.end(input)
  })
}
const behavior = {
  usage: { cpu: '250m', memory: '64Mi' },
  exec: [
    { command: ['backup', '*'], stdout: 'saved {pod}\n', stderr: 'slow\n', exitCode: 3 },
    { command: ['rev'], echo: true },
  ],
  ports: [
    { port: 7, answer: 'echo' },
    { port: 9, answer: 'refuse' },
  ],
}

streams.before(async () => {
  server = await startOrch({ flags: ['--vendor', 'kubernetes', '--simulate-nodes', '1'] })
  const config = new KubeConfig()
  config.loadFromFile(server.adminConfig)
  const api = config.makeApiClient(CoreV1Api)
  await eventually('the service account', () =>
    api.readNamespacedServiceAccount({ name: 'default', namespace: 'default' }).then(
      () => true,
      () => false,
    ),
  )
  const annotations = { 'simulation.kubernetes.io/behavior': JSON.stringify(behavior) }
  for (const name of ['web', 'short'])
    await api.createNamespacedPod({
      namespace: 'default',
      body: {
        metadata: { name, annotations },
        spec: { containers: [{ name: 'main', image: 'web', stdin: true, env: [{ name: 'COLOR', value: 'green' }] }] },
      },
    })
  await eventually('the Pods to run', async () => {
    const { items } = await api.listNamespacedPod({ namespace: 'default' })
    return items.length === 2 && items.every(({ status }) => status?.phase === 'Running')
  })
})
streams.after(async () => {
  await server?.stop()
})

if (program)
  for (const [way, environment] of Object.entries(ways)) {
    const run = (...words: string[]) => kubectl(environment, '', ...words)
    streams(`kubectl exec over ${way}: output, errors and exit codes, from rules and from the shell`, async () => {
      assert.equal(await run('exec', 'web', '--', 'echo', 'hello', 'there'), {
        code: 0,
        out: 'hello there\n',
        error: '',
      })
      const scripted = await run('exec', 'web', '--', 'backup', '--all', 'now')
      assert.equal([scripted.code, scripted.out], [3, 'saved web\n'])
      assert.match(scripted.error, /^slow\n.*exit code 3/s)
      assert.is((await run('exec', 'web', '--', 'sh', '-c', 'echo $COLOR | cat; exit 4')).code, 4)
      const unknown = await run('exec', 'web', '--', 'nginx', '-v')
      assert.is(unknown.code, 127)
      assert.match(unknown.error, 'this container is simulated')
    })
    streams(`kubectl exec over ${way}: input of any size is echoed`, async () => {
      assert.is((await kubectl(environment, 'typed', 'exec', '-i', 'web', '--', 'cat')).out, 'typed')
      assert.is((await kubectl(environment, 'abc', 'exec', '-i', 'web', '--', 'rev')).out, 'abc')
      const large = Buffer.alloc(900_000, 'line of text\n').toString()
      assert.is((await kubectl(environment, large, 'exec', '-i', 'web', '--', 'cat')).out === large, true)
      assert.is((await kubectl(environment, 'echo one\nexit 5\n', 'exec', '-i', 'web', '--', 'sh')).code, 5)
    })
    streams(`kubectl attach over ${way}: prints that it is simulated, and echoes input`, async () => {
      const { code, out, error } = await kubectl(environment, 'ping\n', 'attach', '-i', 'web')
      assert.equal([code, out], [0, 'ping\n'])
      assert.match(error, '# container main of the Pod web is simulated')
    })
    streams(`kubectl cp over ${way}: files and folders, there and back`, async () => {
      const folder = join(server.dataDir, `copied-${way}`)
      mkdirSync(join(folder, 'sub'), { recursive: true })
      writeFileSync(join(folder, 'a.txt'), 'first')
      writeFileSync(join(folder, 'sub', 'b.bin'), Buffer.alloc(300_000, 7))
      const to = await run('cp', folder, `web:/tmp/${way}`)
      assert.equal([to.code, to.error], [0, ''])
      const { out } = await run('exec', 'web', '--', 'ls', `/tmp/${way}`)
      assert.is(out, 'a.txt\nsub\n')
      const back = await run('cp', `web:/tmp/${way}`, `${folder}-back`)
      assert.is(back.code, 0)
      assert.is(readFileSync(join(`${folder}-back`, 'a.txt'), 'utf8'), 'first')
      assert.ok(readFileSync(join(`${folder}-back`, 'sub', 'b.bin')).equals(Buffer.alloc(300_000, 7)))
    })
    streams(`kubectl port-forward over ${way}: HTTP, echo, and a port on which nobody listens`, async () => {
      const env = { ...process.env, KUBECONFIG: server.adminConfig, HOME: server.dataDir, ...environment }
      const child = spawn(program, ['port-forward', 'web', ':80', ':7', ':9'], { env })
      let said = ''
      child.stdout.on('data', chunk => (said += chunk))
      child.stderr.on('data', chunk => (said += chunk))
      const portOf = (target: number) => Number(new RegExp(`127.0.0.1:(\\d+) -> ${target}\\n`).exec(said)?.[1])
      try {
        await eventually('three ports', () => portOf(80) > 0 && portOf(7) > 0 && portOf(9) > 0)
        for (let i = 0; i < 3; i++) {
          const answer = await fetch(`http://127.0.0.1:${portOf(80)}/any`)
          assert.equal([answer.status, answer.headers.get('x-simulated')], [200, 'true'])
          assert.is(await answer.text(), 'simulated Pod default/web, port 80\n')
        }
        assert.is(await exchange(portOf(7), Buffer.alloc(200_000, 'echo')), Buffer.alloc(200_000, 'echo').toString())
        // After an error kubectl ends or continues, depending on its version.
        await exchange(portOf(9), Buffer.from('x')).catch(() => {})
        await eventually('the refusal', () => /connection refused/.test(said))
      } finally {
        child.kill()
      }
    })
  }

if (program)
  streams('kubectl top shows the usage from rules', async () => {
    const pods = await kubectl({}, '', 'top', 'pods')
    assert.match(pods.out, /web +250m +64Mi/)
    assert.match((await kubectl({}, '', 'top', 'pod', 'web', '--containers')).out, /web +main +250m +64Mi/)
    const nodes = await kubectl({}, '', 'top', 'nodes')
    // Both Pods, and a tenth of a core for the node itself, of 32 cores.
    assert.match(nodes.out, /node-1 +600m +1% +384Mi +0%/)
  })

streams('orchctl runs commands, copies files and shows usage', async () => {
  const program = fileURLToPath(new URL('../../bundled/orchctl/main.js', import.meta.url))
  const orchctl = (input: string, ...words: string[]): Promise<Ran> =>
    new Promise(resolve => {
      const env = { ...process.env, KUBECONFIG: server.adminConfig, HOME: server.dataDir }
      const child = execFile(process.execPath, [program, ...words], { env, timeout: 30_000 }, (error, out, said) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, out, error: said }),
      )
      child.stdin?.end(input)
    })
  assert.equal(await orchctl('', 'exec', 'web', '--', 'echo', 'hello'), { code: 0, out: 'hello\n', error: '' })
  assert.is((await orchctl('', 'exec', 'web', '--', 'backup', 'x')).code, 3)
  assert.is((await orchctl('typed', 'exec', '-i', 'web', '--', 'cat')).out, 'typed')
  const file = join(server.dataDir, 'orchctl.txt')
  writeFileSync(file, 'by orchctl')
  assert.is((await orchctl('', 'cp', file, 'web:/tmp/orchctl.txt')).code, 0)
  assert.is((await orchctl('', 'cp', 'web:/tmp/orchctl.txt', `${file}.back`)).code, 0)
  assert.is(readFileSync(`${file}.back`, 'utf8'), 'by orchctl')
  assert.match((await orchctl('', 'top', 'pods')).out, /web +250m +64Mi/)
  const child = spawn(process.execPath, [program, 'port-forward', 'web', ':80'], {
    env: { ...process.env, KUBECONFIG: server.adminConfig, HOME: server.dataDir },
  })
  let said = ''
  child.stdout.on('data', chunk => (said += chunk))
  child.stderr.on('data', chunk => (said += chunk))
  try {
    const port = await eventually(`a port in ${said}`, () => /127\.0\.0\.1:(\d+) -> 80/.exec(said)?.[1])
    assert.is(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'simulated Pod default/web, port 80\n')
  } finally {
    child.kill()
  }
})

/** The response over a connection, as many bytes as were sent. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let got = ''
    socket.on('data', chunk => {
      got += chunk
      if (got.length >= bytes.length) socket.end()
    })
    socket.on('close', () => resolve(got))
    socket.on('error', reject)
  })
}

const collecting = () => {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
const clientConfig = () => {
  const config = new KubeConfig()
  config.loadFromFile(server.adminConfig)
  return config
}

streams('@kubernetes/client-node runs commands, attaches and forwards ports', async () => {
  const exec = new Exec(clientConfig())
  const [out, error] = [collecting(), collecting()]
  const status = await new Promise<V1Status>((resolve, reject) => {
    exec.exec('default', 'web', 'main', ['backup', 'x'], out.stream, error.stream, null, false, resolve).catch(reject)
  })
  assert.equal(
    [status.status, status.reason, status.details?.causes?.[0]],
    ['Failure', 'NonZeroExitCode', { reason: 'ExitCode', message: '3' }],
  )
  assert.equal([out.text(), error.text()], ['saved web\n', 'slow\n'])

  const attached = collecting()
  const socket = await new Attach(clientConfig()).attach(
    'default',
    'web',
    'main',
    attached.stream,
    null,
    Readable.from([Buffer.from('hi')]),
    false,
  )
  await eventually('the echo', () => attached.text() === 'hi')
  socket.close()

  const answered = collecting()
  const input = new PassThrough()
  const forwarded = await new PortForward(clientConfig(), true).portForward(
    'default',
    'web',
    [80],
    answered.stream,
    null,
    input,
  )
  input.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await eventually('the answer', () => /simulated Pod default\/web, port 80/.test(answered.text()))
  if (typeof forwarded !== 'function') forwarded.close()
})

streams('a connection ends with its Pod', async () => {
  const exec = new Exec(clientConfig())
  const out = collecting()
  let status: V1Status | undefined
  await exec.exec(
    'default',
    'short',
    'main',
    ['sh', '-c', 'echo started; sleep 600'],
    out.stream,
    null,
    null,
    false,
    said => {
      status = said
    },
  )
  await eventually('the start', () => out.text() === 'started\n')
  await clientConfig().makeApiClient(CoreV1Api).deleteNamespacedPod({ name: 'short', namespace: 'default' })
  await eventually('the end', () => status?.details?.causes?.[0]?.message === '137')
})

if (program) streams.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
