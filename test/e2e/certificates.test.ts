import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { findProgram } from './find-program.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const page = readFileSync(fileURLToPath(new URL('../../../docs/certificates.md', import.meta.url)), 'utf8')

/** The commands of one section of the documentation. */
function commandsOf(heading: string): string {
  const section = page.split(/^## /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n')
}

/** Runs commands as somebody would who follows the page. Returns what they printed; throws when one of them fails. */
function follow(commands: string, server: RunningServer, folder: string): Promise<string> {
  const env = {
    ...process.env,
    SERVER: server.url,
    DATA: server.dataDir,
    KUBECONFIG: server.adminConfig,
    HOME: folder,
  }
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, timeout: 60_000 }
    const child = execFile('bash', ['-euo', 'pipefail', '-s'], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}\n${error.message}`))
      else resolve(stdout)
    })
    child.stdin?.end(commands)
  })
}

async function withPage(
  heading: string,
  test: (run: { printed: string; read(name: string): Buffer; server: RunningServer }) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder()
  const server = await startOrch({ flags: ['--authorization-mode', 'Node,RBAC', '--enable-bootstrap-token-auth'] })
  try {
    const printed = await follow(commandsOf(heading), server, folder.path)
    await test({ printed, read: name => readFileSync(join(folder.path, name)), server })
  } finally {
    await server.stop()
    folder.remove()
  }
}

const documented = suite('docs/certificates.md')

documented('a person gets a certificate and talks to the server with it', async () => {
  await withPage('A person', async ({ printed, read }) => {
    assert.match(printed, 'jane.crt: OK')
    const certificate = new X509Certificate(read('jane.crt'))
    assert.is(certificate.subject, 'O=dev\nCN=jane')
    assert.is(certificate.ca, false)
    const seen = JSON.parse(read('as-jane.json').toString())
    assert.equal([seen.metadata.name, seen.spec.username], ['jane', 'jane'])
  })
})

documented('a node agent comes from a bootstrap token to its own client and serving certificates', async () => {
  await withPage('A node agent', async ({ printed, read, server }) => {
    assert.match(printed, 'node.crt: OK')
    assert.match(printed, 'serving.crt: OK')
    assert.is(new X509Certificate(read('serving.crt')).subjectAltName, 'DNS:n1.example, IP Address:10.0.0.1')
    const ca = readFileSync(join(server.dataDir, 'pki/ca.crt'))
    assert.is(await greetingOver(read('serving.crt'), read('serving.key'), ca), 'hello from n1')
  })
})

/** What a client that trusts the CA hears from a server with this certificate. */
async function greetingOver(cert: Buffer, key: Buffer, ca: Buffer): Promise<string> {
  const agent = createServer({ cert, key }, socket => socket.end('hello from n1'))
  await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve))
  const address = agent.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  try {
    const socket = connect({ port, host: '127.0.0.1', ca, servername: 'n1.example' })
    let heard = ''
    for await (const chunk of socket) heard += chunk
    return heard
  } finally {
    await new Promise(resolve => agent.close(resolve))
  }
}

const real = suite('kubectl certificate')
real('approves and denies', async () => {
  const folder = temporaryFolder()
  const server = await startOrch({ flags: ['--vendor', 'kubernetes'] })
  try {
    const ctl = new Kubectl(program ?? '', server)
    const requests = `
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out a.key
openssl req -new -key a.key -subj '/O=dev/CN=jane' -out a.csr
for name in good bad; do
kubectl create -f - <<EOF
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata:
  name: $name
spec:
  request: $(openssl base64 -A -in a.csr)
  signerName: kubernetes.io/kube-apiserver-client
  expirationSeconds: 3600
  usages: [client auth]
EOF
done`
    await follow(requests, server, folder.path)
    assert.match(
      await ctl.run('get', 'csr', 'good'),
      /NAME +AGE +SIGNERNAME +REQUESTOR +REQUESTEDDURATION +CONDITION\ngood +\d+s +kubernetes\.io\/kube-apiserver-client +\S+ +60m +Pending/,
    )
    assert.match(await ctl.run('certificate', 'approve', 'good'), /good approved/)
    assert.match(await ctl.run('certificate', 'deny', 'bad'), /bad denied/)
    await ctl.run('wait', 'csr/good', '--for=jsonpath={.status.certificate}', '--timeout=20s')
    const printed = await ctl.run('get', 'csr')
    assert.match(printed, /^good .*Approved,Issued$/m)
    assert.match(printed, /^bad .*Denied$/m)
    await rejects(ctl.run('certificate', 'approve', 'bad'), /already Denied|mutually exclusive|status\.conditions/i)
    assert.match(await ctl.run('describe', 'csr', 'good'), /Subject:\s+Common Name:\s+jane/)
  } finally {
    await server.stop()
    folder.remove()
  }
})

if (program && findProgram('openssl') && findProgram('curl')) {
  documented.run()
  real.run()
} else console.log('SKIP kubectl, openssl or curl is not installed')
