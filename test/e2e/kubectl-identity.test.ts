import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const identity = suite('kubectl and identity')
const robot = 'system:serviceaccount:default:robot'

async function withKubectl(test: (ctl: Kubectl, server: RunningServer) => Promise<void>): Promise<void> {
  const server = await startOrch({ flags: ['--vendor', 'kubernetes'] })
  try {
    await test(new Kubectl(program ?? '', server), server)
  } finally {
    await server.stop()
  }
}

identity('creates an account, binds a role to it, checks its permissions, and impersonates it', async () => {
  await withKubectl(async ctl => {
    await ctl.run('create', 'serviceaccount', 'robot')
    assert.match(await ctl.run('get', 'sa', 'robot'), /NAME +AGE\nrobot +\d/)
    const canI = (...words: string[]) => ctl.run('auth', 'can-i', ...words, `--as=${robot}`).catch(() => 'no')
    assert.match(await canI('list', 'configmaps'), 'no')
    await ctl.run('create', 'clusterrole', 'reader', '--verb=list', '--resource=configmaps')
    await ctl.run('create', 'clusterrolebinding', 'reader', '--clusterrole=reader', '--serviceaccount=default:robot')
    assert.match(await canI('list', 'configmaps'), 'yes')
    await ctl.run('get', 'configmaps', `--as=${robot}`)
    await rejects(ctl.run('get', 'secrets', `--as=${robot}`), /forbidden/i)
    await rejects(ctl.run('get', 'configmaps', '--as=stranger'), /forbidden/i)
    await ctl.run('get', 'secrets', '--as=stranger', '--as-group=system:masters')
  })
})

identity('gets tokens for an account and uses them until the account is deleted', async () => {
  await withKubectl(async (ctl, server) => {
    await ctl.run('create', 'serviceaccount', 'robot')
    await ctl.run(
      'create',
      'clusterrolebinding',
      'robot',
      '--clusterrole=cluster-admin',
      '--serviceaccount=default:robot',
    )
    const token = (await ctl.run('create', 'token', 'robot', '--duration=20m')).trim()
    const asRobot = (...words: string[]) =>
      ctl.run(
        '--kubeconfig=/dev/null',
        `--server=${server.url}`,
        '--insecure-skip-tls-verify',
        `--token=${token}`,
        ...words,
      )
    assert.match(await asRobot('get', 'sa', '-n', 'default', '-o', 'name'), 'serviceaccount/robot')
    const vault = (await ctl.run('create', 'token', 'robot', '--audience=vault')).trim()
    await rejects(asRobot(`--token=${vault}`, 'get', 'sa'), /Unauthorized|logged in/)
    await ctl.run('delete', 'serviceaccount', 'robot')
    await rejects(asRobot('get', 'sa'), /Unauthorized|logged in/)
  })
})

if (program) identity.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
