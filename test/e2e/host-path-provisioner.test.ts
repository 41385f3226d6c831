import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const provisioner = fileURLToPath(new URL('../../examples/host-path-provisioner/main.js', import.meta.url))

/** Runs a test with a server, the example provisioner as a separate program, and kubectl. */
async function withProvisioner(test: (ctl: Kubectl, root: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  const server = await startOrch({ flags: ['--vendor', 'kubernetes'] })
  const words = ['--vendor', 'kubernetes', '--root', folder.path, '--config', server.adminConfig]
  const child = spawn(process.execPath, [provisioner, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  try {
    await eventually('the provisioner to start', () => {
      if (child.exitCode !== null) throw new Error(`the provisioner ended:\n${output}`)
      return output.includes('provisioning for')
    })
    await test(new Kubectl(program ?? '', server), folder.path)
  } finally {
    await ended(child)
    await server.stop()
    folder.remove()
  }
}
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

const storageClass = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: folders }
provisioner: example.com/host-path
allowVolumeExpansion: true
`
const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: folders
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`
const pod = `
apiVersion: v1
kind: Pod
metadata: { name: user }
spec:
  nodeName: north
  automountServiceAccountToken: false
  containers: [{ name: main, image: none, volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`

const real = suite('volumes made by the example provisioner, through kubectl')

real('a claim goes from pending to bound, resized, released and deleted', async () => {
  await withProvisioner(async (ctl, root) => {
    await ctl.runWithInput(claim, 'apply', '-f', '-')
    assert.match(await ctl.run('get', 'pvc', 'data'), /data +Pending .*folders/)
    await ctl.runWithInput(storageClass, 'apply', '-f', '-')
    await ctl.run('wait', 'pvc/data', '--for=jsonpath={.status.phase}=Bound', '--timeout=20s')
    const volume = (await ctl.run('get', 'pvc', 'data', '-o', 'jsonpath={.spec.volumeName}')).trim()
    assert.match(await ctl.run('get', 'pv', volume), /1Gi +RWO +Delete +Bound +default\/data +folders/)
    assert.ok(existsSync(join(root, volume)))

    await ctl.run('patch', 'pvc', 'data', '-p', '{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}')
    await ctl.run('wait', 'pvc/data', '--for=jsonpath={.status.capacity.storage}=2Gi', '--timeout=20s')
    assert.match(await ctl.run('get', 'pv', volume), /2Gi +RWO/)
    await rejects(
      ctl.run('patch', 'pvc', 'data', '-p', '{"spec":{"resources":{"requests":{"storage":"1Gi"}}}}'),
      /can not be less than status.capacity/,
    )

    const seen = ctl.follow('get', 'pv', volume, '--watch', '-o', 'jsonpath={.status.phase}{"\\n"}')
    try {
      await seen.until(/Bound/)
      await ctl.run('delete', 'pvc', 'data', '--timeout=20s')
      await seen.until(/Released/)
    } finally {
      seen.stop()
    }
    await eventually('the volume to be deleted', async () => (await ctl.run('get', 'pv', '-o', 'name')) === '')
    assert.equal(readdirSync(root), [])
  })
})

real('a claim in use waits for its Pod', async () => {
  await withProvisioner(async (ctl, root) => {
    await ctl.runWithInput(`${storageClass}---${claim}`, 'apply', '-f', '-')
    await ctl.run('wait', 'pvc/data', '--for=jsonpath={.status.phase}=Bound', '--timeout=20s')
    await ctl.runWithInput(pod, 'apply', '-f', '-')
    await ctl.run('delete', 'pvc', 'data', '--wait=false')
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.match(await ctl.run('get', 'pvc', 'data'), /data +Terminating/)
    assert.is(readdirSync(root).length, 1)
    await ctl.run('delete', 'pod', 'user', '--grace-period=0', '--force')
    await ctl.run('wait', 'pvc/data', '--for=delete', '--timeout=20s')
    await eventually('the folder to be removed', () => readdirSync(root).length === 0)
  })
})

if (program) real.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
