import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withOrchctl } from '../test/support/run-orchctl.js'

const folders = suite('orchctl and folders of manifests')

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: c
        image: nginx:1
        env: [{name: A, value: "1"}]
        envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: pw}}]
`
const base = `resources: [web.yaml]
configMapGenerator: [{name: settings, literals: [a=b, "c=<d>&"], files: [x.txt]}]
secretGenerator: [{name: pw, literals: [word=sesame]}]
`
const overlay = `resources: [../base]
namespace: town
namePrefix: pre-
nameSuffix: -suf
commonLabels: {team: a}
labels: [{pairs: {z: w}, includeTemplates: true}]
commonAnnotations: {note: hi}
images: [{name: nginx, newName: redis, newTag: "7"}]
replicas: [{name: web, count: 3}]
patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {template: {spec: {containers: [{name: c, env: [{name: B, value: "2"}]}, {name: d, image: side}]}}}
- target: {kind: Deployment}
  patch: |
    - {op: add, path: /spec/paused, value: true}
configMapGenerator: [{name: settings, behavior: merge, literals: [e=f]}]
`
/** What kubectl 1.32 prints for the overlay. */
const built = `apiVersion: v1
data:
  a: b
  c: <d>&
  e: f
  x.txt: |
    hello
kind: ConfigMap
metadata:
  annotations:
    note: hi
  labels:
    team: a
    z: w
  name: pre-settings-suf-2g96kd45c9
  namespace: town
---
apiVersion: v1
data:
  word: c2VzYW1l
kind: Secret
metadata:
  annotations:
    note: hi
  labels:
    team: a
    z: w
  name: pre-pw-suf-7kb2ch5bg4
  namespace: town
type: Opaque
---
apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    note: hi
  labels:
    team: a
    z: w
  name: pre-web-suf
  namespace: town
spec:
  paused: true
  replicas: 3
  selector:
    matchLabels:
      app: web
      team: a
  template:
    metadata:
      annotations:
        note: hi
      labels:
        app: web
        team: a
        z: w
    spec:
      containers:
      - env:
        - name: B
          value: "2"
        - name: A
          value: "1"
        envFrom:
        - configMapRef:
            name: pre-settings-suf-2g96kd45c9
        - secretRef:
            name: pre-pw-suf-7kb2ch5bg4
        image: redis:7
        name: c
      - image: side
        name: d
`

folders('builds the same objects as kubectl kustomize, applies them with -k, and prunes removed ones', () =>
  withOrchctl(async ({ run, folder }) => {
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true })
      writeFileSync(join(folder.path, path), text)
    }
    write('base/web.yaml', deployment)
    write('base/x.txt', 'hello\n')
    write('base/kustomization.yaml', base)
    write('over/kustomization.yaml', overlay)
    assert.equal(await run('kustomize', `${folder.path}/over`), { code: 0, out: built, error: '' })

    const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {app: x}}\n`
    write('maps/a.yaml', map('a'))
    write('maps/b.yaml', map('b'))
    write('maps/kustomization.yaml', 'resources: [a.yaml, b.yaml]\n')
    const maps = `${folder.path}/maps`
    assert.is((await run('apply', '-k', maps)).out, 'configmap/a created\nconfigmap/b created\n')
    assert.is((await run('get', '-k', maps, '-o', 'name')).out, 'configmap/a\nconfigmap/b\n')
    assert.is((await run('get', 'cm/a', '-o', 'go-template={{.metadata.labels.app}}')).out, 'x')
    await run('create', 'configmap', 'mine')
    await run('label', 'cm/mine', 'app=x')
    write('maps/kustomization.yaml', 'resources: [a.yaml]\n')
    const tried = await run('apply', '-k', maps, '--prune', '-l', 'app=x', '--dry-run=server')
    assert.is(tried.out, 'configmap/a unchanged (server dry run)\nconfigmap/b pruned (server dry run)\n')
    const pruned = await run('apply', '-k', maps, '--prune', '-l', 'app=x')
    assert.equal([pruned.out, pruned.error], ['configmap/a unchanged\nconfigmap/b pruned\n', ''])
    const left = await run('get', 'cm', '-l', 'app=x', '-o', 'name')
    assert.is(left.out, 'configmap/a\nconfigmap/mine\n', 'what was not applied is not pruned')
    assert.match((await run('apply', '-k', maps, '--prune')).error, 'say which objects with -l SELECTOR, or --all')
    assert.match((await run('apply', '-k', maps, '-l', 'app=x')).error, 'add --prune')
    assert.is((await run('delete', '-k', maps)).out, 'configmap "a" deleted\n')

    write('odd/kustomization.yaml', 'resources: []\nhelmCharts: []\n')
    const odd = await run('kustomize', `${folder.path}/odd`)
    assert.equal([odd.code, /"helmCharts" is not supported here/.test(odd.error)], [2, true])
    write('far/kustomization.yaml', 'resources: ["https://example.com/a.yaml"]\n')
    assert.match((await run('apply', '-k', `${folder.path}/far`)).error, 'remote resources are not supported')
    write('round/kustomization.yaml', 'resources: [../round]\n')
    assert.match((await run('kustomize', `${folder.path}/round`)).error, 'is a resource of itself')
    assert.match((await run('kustomize', folder.path)).error, 'there is no kustomization.yaml')
    assert.match((await run('apply', '-k', maps, '-f', maps)).error, 'not both')
  }),
)

folders.run()
