import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { kubernetesProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../test/support/eventually.js'
import { withOrchctl } from '../test/support/run-orchctl.js'

const objects = suite('orchctl and objects')

const configMap = (name: string, data: Record<string, string>, more: object = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more }, data })

objects('shows applied objects in every output format', () =>
  withOrchctl(async ({ run, runWith, folder }) => {
    folder.write(
      'one.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {app: x}}\ndata: {mode: 0644}\n',
    )
    const broken = await run('apply', '-f', folder.path)
    assert.is(broken.code, 1, 'a number is not a string')
    folder.write(
      'one.yaml',
      `${configMap('a', { mode: 'fast' }, { labels: { app: 'x' } })}\n---\n${configMap('b', {})}`,
    )
    const applied = await run('apply', '-f', folder.path)
    assert.equal([applied.out, applied.code], ['configmap/a created\nconfigmap/b created\n', 0])
    assert.is((await run('apply', '-f', folder.path)).out, 'configmap/a unchanged\nconfigmap/b unchanged\n')

    const table = (await run('get', 'cm', 'a', 'b')).out.split('\n')
    assert.match(table[0] ?? '', /^NAME +DATA +AGE$/)
    assert.match(table[1] ?? '', /^a +1 +\d+s$/)
    assert.match(
      (await run('get', 'cm', '-A', '-l', 'app=x', '-L', 'app')).out,
      /^NAMESPACE +NAME.*APP\ndefault +a .*x\n$/,
    )
    assert.is((await run('get', 'cm/a', '-o', 'name')).out, 'configmap/a\n')
    assert.is((await run('get', 'configmaps.v1.', 'a', '-o', 'jsonpath={.data.mode}')).out, 'fast')
    const template = '{range .items[?(@.metadata.name=="a")]}{.metadata.labels.app}{"!"}{end}'
    assert.is((await run('get', 'cm', `-ojsonpath=${template}`, '--chunk-size=1')).out, 'x!')
    const columns = await run(
      'get',
      'cm',
      '-o',
      'custom-columns=N:.metadata.name,M:.data.mode',
      '--field-selector=metadata.name=b',
    )
    assert.is(columns.out, 'N   M\nb   <none>\n')
    assert.match(
      (await run('get', 'cm', 'a', '-o', 'yaml')).out,
      /^apiVersion: v1\ndata:\n {2}mode: fast\nkind: ConfigMap\n/,
    )
    assert.is(JSON.parse((await run('get', 'cm', '-o', 'json')).out).kind, 'List')
    assert.match((await run('get', 'cm,ns')).out, /configmap\/a[\s\S]*\n\nNAME[\s\S]*namespace\/default/)
    const sorted = await run('get', 'cm', 'b', 'a', '--sort-by=.metadata.name', '--no-headers')
    assert.match(sorted.out, /^a .*\nb /)

    const some = await run('get', 'cm', 'nothing', 'a', '--no-headers')
    assert.equal([some.code, some.out.startsWith('a ')], [1, true], 'one that is missing does not hide the others')
    const missing = await run('get', 'cm', 'nothing')
    assert.equal([missing.code, missing.error], [1, 'error: (NotFound) configmaps "nothing" not found\n'])
    assert.is((await run('get', 'cm', 'nothing', '--ignore-not-found')).code, 0)
    assert.match((await run('get', 'gizmos')).error, /no type "gizmos"/)

    const created = await runWith(configMap('c', {}), 'create', '-f', '-', '-o', 'name')
    assert.is(created.out, 'configmap/c\n')
    assert.is((await runWith(configMap('c', {}), 'create', '-f', '-')).code, 1)
  }),
)

objects('creates common objects without a file', () =>
  withOrchctl(async ({ run, folder }) => {
    assert.is((await run('create', 'namespace', 'web')).out, 'namespace/web created\n')
    assert.is((await run('create', 'sa', 'builder', '-n', 'web')).out, 'serviceaccount/builder created\n')
    const shown = await run('create', 'cm', 'a', '--from-literal=b=yes', '--dry-run=client', '-o', 'yaml')
    assert.is(shown.out, 'apiVersion: v1\ndata:\n  b: "yes"\nkind: ConfigMap\nmetadata:\n  name: a\n')
    const unsent = await run('create', 'ns', 'Not_Sent', '--dry-run=client', '-s', 'https://nobody.test')
    assert.is(unsent.out, 'namespace/Not_Sent created (dry run)\n')
    const page = folder.write('page.html', '<p>')
    const lines = folder.write('settings.env', '# ours\nSIZE=3\nLINE=a=b\n')
    const sources = ['--from-literal=color=red', '--from-file', page, '--from-env-file', lines]
    await run('create', 'configmap', 'settings', ...sources)
    const { data } = JSON.parse((await run('get', 'cm/settings', '-o', 'json')).out)
    assert.equal(data, { LINE: 'a=b', SIZE: '3', color: 'red', 'page.html': '<p>' })

    await run('create', 'secret', 'generic', 'word', '--from-literal=word=hunter2', '--type=acme.test/word')
    const secret = JSON.parse((await run('get', 'secret/word', '-o', 'json')).out)
    assert.equal([secret.type, secret.data], ['acme.test/word', { word: btoa('hunter2') }])
    const tls = await run('create', 'secret', 'tls', 'site', '--cert', page, '--key', page)
    assert.is(tls.out, 'secret/site created\n')
    assert.is((await run('get', 'secret/site', '-o', 'jsonpath={.type}')).out, 'orch.io/tls')

    const wrong = [
      ['configmap'],
      ['configmap', 'a', '--from-literal=x'],
      ['secret', 'a'],
      ['secret', 'tls', 'a'],
      ['gizmo'],
    ]
    for (const words of wrong) assert.is((await run('create', ...words)).code, 2, words.join(' '))
  }),
)

objects('creates objects without a name, and the items of a list of one kind', () =>
  withOrchctl(async ({ run, runWith, folder }) => {
    const review = {
      apiVersion: 'authorization.orch.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'ann', groups: ['system:masters'], resourceAttributes: { verb: 'get', resource: 'pods' } },
    }
    const text = JSON.stringify(review)
    assert.is((await runWith(text, 'create', '-f', '-', '-o', 'jsonpath={.status.allowed}')).out, 'true')
    assert.match((await runWith(text, 'delete', '-f', '-')).error, 'SubjectAccessReview needs metadata.name')
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] }
    const file = folder.write('list.json', JSON.stringify(list))
    assert.is((await run('create', '-f', file)).out, 'configmap/a created\n')
    assert.is((await run('get', '-f', file, '-o', 'name')).out, 'configmap/a\n')
  }),
)

objects('reports the managers in conflict with an apply, and overrides them with --force-conflicts', () =>
  withOrchctl(async ({ run, runWith }) => {
    await runWith(configMap('a', { mode: 'fast' }), 'apply', '-f', '-', '--field-manager=alice')
    const refused = await runWith(configMap('a', { mode: 'slow' }), 'apply', '-f', '-')
    assert.is(refused.code, 1)
    assert.match(
      refused.error,
      /configmap\/a: nothing was applied.*--force-conflicts\n {2}\.data\.mode {2}owned by "alice"/,
    )
    const changed = await runWith(configMap('a', { mode: 'slow' }), 'diff', '-f', '-', '--force-conflicts')
    assert.is(changed.code, 1)
    assert.match(changed.out, /- {2}mode: fast\n\+ {2}mode: slow/)
    const forced = await runWith(configMap('a', { mode: 'slow' }), 'apply', '-f', '-', '--force-conflicts')
    assert.is(forced.out, 'configmap/a configured\n')
    assert.equal((await runWith(configMap('a', { mode: 'slow' }), 'diff', '-f', '-')).code, 0)
    assert.is((await run('get', 'cm/a', '-o', 'jsonpath={.data.mode}')).out, 'slow')
  }),
)

objects('never shows the values of a Secret in a diff', () =>
  withOrchctl(async ({ run, runWith }) => {
    const secret = (text: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { word: btoa(text) } })
    await runWith(secret('hunter2'), 'apply', '-f', '-')
    const { out, code } = await runWith(secret('hunter3'), 'diff', '-f', '-')
    assert.is(code, 1)
    assert.match(out, /- {2}word: '?"?\*\*\* \(before\)[\s\S]*\+ {2}word: '?"?\*\*\* \(after\)/)
    assert.not.match(out, btoa('hunter2').slice(0, 6))

    // Client-side apply keeps the applied configuration in an annotation.
    const applied = (text: string) => secret(text).replace('"s"', '"kept"')
    await runWith(applied('hunter2'), 'apply', '-f', '-', '--server-side=false')
    assert.match((await run('get', 'secret', 'kept', '-o', 'yaml')).out, 'last-applied-configuration')
    const kept = await runWith(applied('hunter3'), 'diff', '-f', '-', '--force-conflicts')
    assert.is(kept.code, 1)
    for (const text of [kept.out, (await run('describe', 'secret', 'kept')).out])
      assert.not.match(text, btoa('hunter2').slice(0, 6))
  }),
)

objects('patches, labels, annotates and deletes', () =>
  withOrchctl(async ({ run, runWith }) => {
    await runWith(configMap('a', { one: '1', two: '2' }), 'apply', '-f', '-')
    assert.is((await run('patch', 'cm', 'a', '-p', '{"data":{"one":"x"}}')).out, 'configmap/a patched\n')
    const steps = '[{"op":"remove","path":"/data/two"}]'
    assert.is((await run('patch', 'cm/a', '--type=json', '-p', steps, '-o', 'jsonpath={.data}')).out, '{"one":"x"}')
    assert.is((await run('label', 'cm', 'a', 'tier=front')).out, 'configmap/a labeled\n')
    const refused = await run('label', 'cm', 'a', 'tier=back')
    assert.match(refused.error, /has the label tier=front; add --overwrite/)
    assert.is((await run('label', 'cm', '-l', 'tier=front', 'tier=back', '--overwrite')).out, 'configmap/a labeled\n')
    assert.is((await run('label', 'cm/a', 'tier-')).out, 'configmap/a unlabeled\n')
    const missing = { code: 0, out: 'configmap/a not labeled\n', error: 'label "tier" not found.\n' }
    assert.equal(await run('label', 'cm/a', 'tier-'), missing)
    const invalid = await run('label', 'cm/a', 'not a key=1')
    assert.is(invalid.error.split('not a key').length, 2, 'the same problem is reported once')
    assert.match((await run('annotate', 'cm/a', 'a=b', '--resource-version=1')).error, 'Conflict')
    assert.is((await run('annotate', 'cm/a', 'note=two words')).out, 'configmap/a annotated\n')
    assert.is((await run('label', 'cm/a', 'constructor=yes')).out, 'configmap/a labeled\n')
    assert.match((await run('delete', 'cm')).error, /add --all/)
    assert.is((await run('delete', 'cm', '--all', '-l', 'constructor=yes')).code, 2)
    assert.match((await run('get', 'cm', 'a', '--show-kind', '--no-headers')).out, /^configmap\/a /)
    assert.match((await run('delete', 'cm', 'a', '-A')).error, /a named object is in one namespace/)
    assert.is((await run('patch', 'cm', 'a', '--patch-file=/nowhere')).code, 2)
    assert.is((await run('delete', 'cm', 'a', '--dry-run')).out, 'configmap "a" deleted (server dry run)\n')
    assert.is((await run('delete', 'cm', 'a')).out, 'configmap "a" deleted\n')
    assert.is((await run('delete', 'cm', 'a')).code, 1)
  }),
)

objects('reports the finalizers that delay a deletion', () =>
  withOrchctl(async ({ run, runWith, server }) => {
    for (const name of ['held', 'let-go'])
      await runWith(configMap(name, {}, { finalizers: ['acme.test/hold'] }), 'create', '-f', '-')
    const held = await run('delete', 'cm', 'held', '--timeout=1s')
    assert.is(held.code, 1)
    assert.match(held.error, /timed out waiting for configmap\/held \(finalizers acme.test\/hold\)/)
    const waiting = run('delete', 'cm', 'let-go')
    // If the finalizer were removed before the deletion arrives, there would be nothing to wait for.
    const maps = server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
    const isGoing = async () => (await maps.get('let-go')).metadata.deletionTimestamp
    await eventually('the deletion to arrive', isGoing, 60_000)
    await run('patch', 'cm', 'let-go', '--type=merge', '-p', '{"metadata":{"finalizers":null}}')
    assert.equal(await waiting, { code: 0, out: 'configmap "let-go" deleted\n', error: '' })
  }),
)

objects('does not fail a deletion that the user may not watch, nor lose an edit that the user may not make', () =>
  withOrchctl(async ({ run, runWith }) => {
    const rbac = 'rbac.authorization.orch.io'
    const metadata = { name: 'remover' }
    const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata }
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'delete'] }]
    await runWith(JSON.stringify({ ...role, rules }), 'create', '-f', '-')
    const roleRef = { apiGroup: rbac, kind: 'Role', name: 'remover' }
    const subjects = [{ apiGroup: rbac, kind: 'User', name: 'joe' }]
    await runWith(JSON.stringify({ ...role, kind: 'RoleBinding', roleRef, subjects }), 'create', '-f', '-')
    await run('create', 'configmap', 'a')
    await eventually(
      'the role to count',
      async () => (await run('auth', 'can-i', 'delete', 'cm', '--as=joe')).code === 0,
    )
    const edited = await run('edit', 'cm', 'a', '--as=joe', '--editor', "sed -i 's/^kind:/mine: 1\\nkind:/'")
    const file = /Your changes are in (\S+)\.\n/.exec(edited.error)?.[1] ?? ''
    assert.equal([edited.code, readFileSync(file, 'utf8').includes('mine: 1')], [1, true], edited.error)
    rmSync(dirname(file), { recursive: true })
    assert.equal(await run('delete', 'cm', 'a', '--as=joe'), { code: 0, out: 'configmap "a" deleted\n', error: '' })
  }),
)

objects('rejects text that is not an object', () =>
  withOrchctl(async ({ run, folder }) => {
    await run('create', 'configmap', 'a', '--from-literal=mode=fast')
    // Rejected first, then cancelled.
    const editor = `once() { [ -e '${folder.path}/once' ] || echo '- a' | tee '${folder.path}/once' > "$1"; }; once`
    const edited = await run('edit', 'cm', 'a', '--editor', editor)
    const file = /your changes are in (\S+)\n/.exec(edited.error)?.[1] ?? ''
    assert.equal([edited.code, /not an object/.test(readFileSync(file, 'utf8'))], [2, true], edited.error)
    rmSync(dirname(file), { recursive: true })
    assert.is((await run('get', 'cm/a', '-o', 'jsonpath={.data.mode}')).out, 'fast')
  }),
)

objects('merges with the last applied configuration in client-side apply, in the annotation of the vendor', () =>
  withOrchctl(async ({ run, runWith }) => {
    const apply = (data: Record<string, string>) =>
      runWith(configMap('a', data), 'apply', '-f', '-', '--server-side=false')
    assert.is((await apply({ one: '1', two: '2' })).out, 'configmap/a created\n')
    await run('patch', 'cm/a', '-p', '{"data":{"theirs":"3"}}')
    assert.is((await apply({ one: '1' })).out, 'configmap/a configured\n')
    assert.is((await apply({ one: '1' })).out, 'configmap/a unchanged\n')
    const { data, metadata } = JSON.parse((await run('get', 'cm/a', '-o', 'json')).out)
    assert.equal(data, { one: '1', theirs: '3' })
    assert.equal(Object.keys(metadata.annotations), ['kubectl.kubernetes.io/last-applied-configuration'])
  }, kubernetesProfile),
)

objects.run()
