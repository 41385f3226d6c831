import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/orch-program.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'
import { freePort } from './programs.js'
import { inSuite } from './suite.js'

/** The same suite of a controller against several versions concurrently. */

const versions = suite('one suite at many versions')

/** What a controller that supports old and new clusters depends on: served versions, fields and removed types. */
const expected: Readonly<Record<string, { readonly cronJobs: readonly string[]; readonly keepsSidecars: boolean }>> = {
  '1.23': { cronJobs: ['v1', 'v1beta1'], keepsSidecars: false },
  '1.25': { cronJobs: ['v1'], keepsSidecars: false },
  '1.28': { cronJobs: ['v1'], keepsSidecars: false },
  '1.31': { cronJobs: ['v1'], keepsSidecars: true },
  '1.36': { cronJobs: ['v1'], keepsSidecars: true },
}

versions('in parallel: each server serves the types of its version', async () => {
  await Promise.all(Object.keys(expected).map(runSuite))
})

async function runSuite(version: string): Promise<void> {
  const { cronJobs, keepsSidecars } = expected[version]!
  const server = await startServer({
    vendor: 'kubernetes',
    kubernetesVersion: version,
    options: { controllers: ['-*'], disableAdmissionPlugins: ['ServiceAccount'] },
  })
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${server.baseUrl}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
    })
  try {
    const get = async (path: string) => (await send(path)).json() as Promise<Record<string, unknown>>
    const { minor, gitVersion } = await get('/version')
    assert.is(minor, version.slice(2), `of ${version}`)
    assert.match(String(gitVersion), new RegExp(`^v${version.replace('.', '\\.')}\\.`))
    const { versions: served } = (await get('/apis/batch')) as { versions: { version: string }[] }
    assert.equal(
      served.map(each => each.version),
      cronJobs,
    )
    const answer = await send('/api/v1/namespaces/default/pods', {
      method: 'POST',
      body: JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'one' },
        spec: {
          initContainers: [{ name: 'sidecar', image: 'i', restartPolicy: 'Always' }],
          containers: [{ name: 'main', image: 'i' }],
        },
      }),
    })
    const pod = (await answer.json()) as { spec: { initContainers: { restartPolicy?: string }[] } }
    assert.is(answer.status, 201, JSON.stringify(pod))
    assert.is(pod.spec.initContainers[0]?.restartPolicy, keepsSidecars ? 'Always' : undefined)
  } finally {
    await server.stop()
  }
}

versions('the programs of orch envtest serve the version that their folder was written for', async () => {
  const home: Folder = temporaryFolder()
  const env = { ...process.env, HOME: home.path }
  try {
    const argv = [bundledProgram, 'envtest', 'path', '--kubernetes-version', '1.31']
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env, cwd: home.path })
    const minorOf = async (flags: readonly string[]) => {
      let minor = ''
      await inSuite(
        stdout.trim(),
        async ({ etcd, port }) => ({
          argv: [`--etcd-servers=${etcd}`, `--insecure-port=${port}`, `--secure-port=${await freePort()}`, ...flags],
        }),
        async ({ url }) => {
          minor = ((await (await fetch(`${url}/version`)).json()) as { minor: string }).minor
        },
        'http',
      )
      return minor
    }
    assert.equal(await Promise.all([minorOf([]), minorOf(['--emulated-version=kube=1.34'])]), ['31', '34'])
  } finally {
    home.remove()
  }
})

versions.run()
