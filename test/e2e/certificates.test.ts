import { execFile } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
/** Runs commands and returns their output; throws if one of them fails. */
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

if (program && findProgram('openssl')) real.run()
else console.log('SKIP kubectl or openssl is not installed')
