import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const real = suite('kubectl')
let server: RunningServer | undefined

/** One server for all tests of this file, started by the first of them. */
async function kubectl(): Promise<Kubectl> {
  server ??= await startOrch({ flags: ['--vendor', 'kubernetes'] })
  return new Kubectl(program ?? '', server)
}
interface Printed {
  metadata: { name: string; resourceVersion: string; labels?: Record<string, string> }
  data?: Record<string, string>
  status?: { phase?: string }
}

real('discovers types', async () => {
  const listed = await (await kubectl()).run('api-resources', '--api-group=', '-o', 'name')
  for (const name of ['configmaps', 'namespaces', 'secrets']) assert.ok(listed.split('\n').includes(name), listed)
})

real('creates, reads, changes, labels and deletes a ConfigMap', async () => {
  const ctl = await kubectl()
  await ctl.run('create', 'configmap', 'settings', '--from-literal=color=red')
  assert.equal((await ctl.json<Printed>('get', 'configmap', 'settings')).data, { color: 'red' })
  assert.match(await ctl.run('get', 'cm', 'settings'), /NAME +DATA +AGE\nsettings +1 +\d+s/)

  await ctl.run('patch', 'configmap', 'settings', '--type=merge', '-p', '{"data":{"color":"blue","size":"7"}}')
  await ctl.run('label', 'configmap', 'settings', 'team=a')
  await ctl.run('annotate', 'configmap', 'settings', 'note=hello')
  const changed = await ctl.json<Printed>('get', 'configmap', 'settings')
  assert.equal([changed.data, changed.metadata.labels], [{ color: 'blue', size: '7' }, { team: 'a' }])
  assert.match(await ctl.run('get', 'configmaps', '-l', 'team=a', '-o', 'name'), 'configmap/settings')

  await ctl.run('label', 'configmap', 'settings', 'team-')
  await ctl.run('delete', 'configmap', 'settings')
  await rejects(ctl.run('get', 'configmap', 'settings'), /NotFound/)
})

real('replaces a ConfigMap from a file and notices a conflict', async () => {
  const ctl = await kubectl()
  await ctl.run('create', 'configmap', 'replaced', '--from-literal=n=1')
  const first = await ctl.json<Printed>('get', 'configmap', 'replaced')
  await ctl.run(
    'patch',
    'configmap',
    'replaced',
    '--type=json',
    '-p',
    '[{"op":"replace","path":"/data/n","value":"2"}]',
  )
  const stale = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...first, data: { n: '3' } })
  await rejects(ctl.runWithInput(stale, 'replace', '-f', '-'), /Conflict|has been modified/)
  assert.equal((await ctl.json<Printed>('get', 'configmap', 'replaced')).data, { n: '2' })
})

real('watches changes', async () => {
  const ctl = await kubectl()
  const watch = ctl.follow('get', 'configmaps', '--watch', '--output-watch-events')
  try {
    await ctl.run('create', 'configmap', 'watched', '--from-literal=n=1')
    await watch.until(/ADDED +watched +1/)
    await ctl.run('patch', 'configmap', 'watched', '--type=merge', '-p', '{"data":{"m":"2"}}')
    await watch.until(/MODIFIED +watched +2/)
    await ctl.run('delete', 'configmap', 'watched')
    await watch.until(/DELETED +watched +2/)
  } finally {
    watch.stop()
  }
})

real('creates, reads, changes and deletes a Secret', async () => {
  const ctl = await kubectl()
  await ctl.run('create', 'secret', 'generic', 'password', '--from-literal=word=sesame')
  assert.is(await ctl.run('get', 'secret', 'password', '-o', 'jsonpath={.data.word}'), 'c2VzYW1l')
  assert.match(await ctl.run('get', 'secret', 'password'), /password +Opaque +1/)
  await ctl.run('patch', 'secret', 'password', '--type=merge', '-p', '{"stringData":{"word":"other"}}')
  assert.is(await ctl.run('get', 'secret', 'password', '-o', 'jsonpath={.data.word}'), 'b3RoZXI=')
  await ctl.run('delete', 'secret', 'password')
  await rejects(ctl.run('get', 'secret', 'password'), /NotFound/)
})

real('creates a Namespace, works in it and deletes it with what is in it', async () => {
  const ctl = await kubectl()
  await ctl.run('create', 'namespace', 'town')
  await ctl.run('label', 'namespace', 'town', 'kind=small')
  assert.match(await ctl.run('get', 'namespaces'), /town +Active/)
  await ctl.run('create', 'configmap', 'a', '-n', 'town', '--from-literal=n=1')
  assert.match(await ctl.run('get', 'configmaps', '--all-namespaces'), /town +a +1/)
  await ctl.run('delete', 'namespace', 'town', '--wait=true', '--timeout=20s')
  await rejects(ctl.run('get', 'namespace', 'town'), /NotFound/)
  assert.is(await ctl.run('get', 'configmaps', '-n', 'town', '-o', 'name'), '')
})

const unpatchable = {
  TokenReview: { apiVersion: 'authentication.k8s.io/v1', spec: { token: 'unknown' } },
  SubjectAccessReview: {
    apiVersion: 'authorization.k8s.io/v1',
    spec: { user: 'ann', resourceAttributes: { verb: 'get', resource: 'pods' } },
  },
  ConfigMapList: {
    apiVersion: 'v1',
    items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'listed', namespace: 'default' } }],
  },
}
for (const [kind, object] of Object.entries(unpatchable))
  real(`sends a ${kind}, which cannot be patched, after validating it`, async () => {
    const ctl = await kubectl()
    assert.match(await ctl.runWithInput(JSON.stringify({ kind, ...object }), 'create', '-f', '-'), 'created')
    const odd = JSON.stringify({ kind, ...object, specc: {} })
    await rejects(ctl.runWithInput(odd, 'create', '-f', '-'), /unknown field "specc"/)
  })

real('prints the reasons of rejections', async () => {
  const ctl = await kubectl()
  await rejects(ctl.run('create', 'configmap', 'Bad_Name'), /Invalid value: "Bad_Name"/)
  await rejects(ctl.run('delete', 'namespace', 'kube-system'), /Forbidden|may not be deleted/)
  await rejects(ctl.run('create', 'configmap', 'a', '-n', 'nowhere'), /namespaces "nowhere" not found/)
})

real.after(async () => {
  await server?.stop()
})
if (program) real.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
